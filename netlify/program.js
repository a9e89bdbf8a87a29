// Finds the program: the plugin's input, then WAYPOST_BIN, then PATH, then the package for this platform that npm has
// installed beside this one.

import { accessSync, constants, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'

const FILE = process.platform === 'win32' ? 'waypost.exe' : 'waypost'

/** The program, or the problem that there is none. */
export const findProgram = (input) => {
  for (const [name, value] of [['the input `binary`', input], ['WAYPOST_BIN', process.env.WAYPOST_BIN]]) {
    if (value) {
      const program = path.resolve(value)
      return isProgram(program) ? { program } : { problem: `${name} names \`${value}\`, which is no program` }
    }
  }
  const program = onPath() ?? inPackage()
  if (program) {
    return { program }
  }
  const platform = `waypost-${process.platform}-${process.arch}`
  return {
    problem: `waypost is not installed: there is no \`${FILE}\` on PATH, and npm has not installed \`${platform}\`. ` +
      'Allow optional dependencies, install waypost in the build command, or set WAYPOST_BIN',
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
