// Finds the program: the plugin's input, then WAYPOST_BIN, then the npm package for this platform,
// then PATH. The version must be at least that of the plugin.

import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'

const FILE = process.platform === 'win32' ? 'waypost.exe' : 'waypost'
// Enough for the findings of a site with a million pages.
const MOST_OUTPUT = 1024 * 1024 * 1024

const { version: OWN_VERSION } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** The path of the program, or the reason why there is none. Relative paths start from `dir`. */
export const findProgram = (input, dir) => {
  for (const [name, value] of [['the input `binary`', input], ['WAYPOST_BIN', process.env.WAYPOST_BIN]]) {
    if (value) {
      const program = path.resolve(dir, value)
      const problem = `${name}: \`${value}\` is not an executable file`
      return isProgram(program) ? checked(program, dir) : { problem }
    }
  }
  const program = inPackage() ?? onPath()
  return program ? checked(program, dir) : { problem: notInstalled() }
}

/** Runs the program in a directory, and returns its output and exit code. */
export const runProgram = (program, args, dir) =>
  spawnSync(program, args, {
    cwd: dir,
    encoding: 'utf8',
    // The program must treat this as a Netlify build wherever it runs.
    env: { ...process.env, NETLIFY: 'true' },
    maxBuffer: MOST_OUTPUT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const notInstalled = () => {
  const platform = `waypost-${process.platform}-${process.arch}`
  return (
    `waypost is not installed: npm did not install \`${platform}\`, and \`${FILE}\` is not on PATH. ` +
    'Allow optional dependencies, install waypost in the build command, or set WAYPOST_BIN'
  )
}

const checked = (program, dir) => {
  const run = runProgram(program, ['--version'], dir)
  const version = /^waypost (\d+\.\d+\.\d+\S*)/.exec(run.stdout ?? '')?.[1]
  if (!version) {
    const why = run.error ? run.error.message : 'it does not print the version of waypost'
    return { problem: `\`${program}\` is not waypost: ${why}` }
  }
  if (isOlder(version, OWN_VERSION)) {
    return {
      problem:
        `\`${program}\` is waypost ${version}, and this plugin needs ${OWN_VERSION} or later: ` +
        'update it, or remove it to use the one that npm installs',
    }
  }
  return { program }
}

const isOlder = (version, other) => {
  const numbers = (text) => text.split(/[-+]/)[0].split('.').map(Number)
  const [own, least] = [numbers(version), numbers(other)]
  const at = own.findIndex((number, place) => number !== least[place])
  return at >= 0 && own[at] < least[at]
}

const inPackage = () => {
  const name = `waypost-${process.platform}-${process.arch}/bin/${FILE}`
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

const onPath = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, FILE))
    .find(isProgram)

const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
