// Finds the program. npm installs the optional dependency whose `os` and `cpu` are those of the
// machine; a lock file written on another system may lack it.

const FILE = process.platform === 'win32' ? 'waypost.exe' : 'waypost'

/** Returns the path of the program, or throws an error with the remedy. */
exports.findProgram = () => {
  if (process.env.WAYPOST_BIN) return process.env.WAYPOST_BIN
  const name = `waypost-${process.platform}-${process.arch}`
  const { optionalDependencies } = require('./package.json')
  if (!(name in optionalDependencies)) {
    throw new Error(`waypost has no npm package for ${process.platform}-${process.arch}: set WAYPOST_BIN to a program built from source`)
  }
  try {
    return require.resolve(`${name}/bin/${FILE}`)
  } catch {
    throw new Error(
      `the package \`${name}\` is not installed: install without \`--omit=optional\`. ` +
        'If the lock file was written on another system, delete it and node_modules, and install again',
    )
  }
}
