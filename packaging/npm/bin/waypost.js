#!/usr/bin/env node
// Runs the program for this platform with the same arguments, and ends as it ends.

const { spawnSync } = require('node:child_process')
const { findProgram } = require('../program.js')

try {
  const { error, signal, status } = spawnSync(findProgram(), process.argv.slice(2), { stdio: 'inherit' })
  if (error) throw error
  if (signal) process.kill(process.pid, signal)
  process.exitCode = status ?? 2
} catch (error) {
  console.error(`error: ${error.message}`)
  process.exitCode = 2
}
