// Finds the program: the plugin's input, then WAYPOST_BIN, then PATH, then the npm package for this
// platform.

import { accessSync, constants, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'

const FILE = process.platform === 'win32' ? 'waypost.exe' : 'waypost'

/** The path of the program, or the reason why there is none. */
export const findProgram = (input) => {
  for (const [name, value] of [['the input `binary`', input], ['WAYPOST_BIN', process.env.WAYPOST_BIN]]) {
    if (value) {
      const program = path.resolve(value)
      const problem = `${name}: \`${value}\` is not an executable file`
      return isProgram(program) ? { program } : { problem }
    }
  }
  const program = onPath() ?? inPackage()
  if (program) {
    return { program }
  }
  const platform = `waypost-${process.platform}-${process.arch}`
  return {
    problem:
      `waypost is not installed: \`${FILE}\` is not on PATH, and npm did not install ` +
      `\`${platform}\`. Allow optional dependencies, install waypost in the build command, ` +
      'or set WAYPOST_BIN',
  }
}

const onPath = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, FILE))
    .find(isProgram)

const inPackage = () => {
  const name = `waypost-${process.platform}-${process.arch}/bin/${FILE}`
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
