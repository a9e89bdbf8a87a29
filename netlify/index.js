// Runs waypost on what the build has published: Netlify's event goes in, a run of the program and a line in the deploy's
// summary come out. Nothing is decided here; what is wrong with a site, the program says.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'

import { findProgram } from './program.js'
import { failureOf, statusOf } from './report.js'

// A site of a million pages has that many findings at most.
const MOST_OUTPUT = 1024 * 1024 * 1024

export const onPostBuild = ({ inputs, constants, utils }) => {
  const { program, problem } = findProgram(inputs.binary)
  if (!program) {
    return utils.build.failBuild(problem)
  }
  const run = spawnSync(program, argumentsOf(inputs, constants.PUBLISH_DIR), {
    encoding: 'utf8',
    // This is a build of Netlify's wherever it runs, and the program is to treat it as one.
    env: { ...process.env, NETLIFY: 'true' },
    maxBuffer: MOST_OUTPUT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.stderr.write(run.stderr ?? '')
  if (run.error || run.status !== 0) {
    return utils.build.failBuild(failureOf(program, run))
  }
  utils.status.show(statusOf(JSON.parse(run.stdout)))
}

const argumentsOf = (inputs, publishDir) => {
  const flags = ['--json', '--output-dir', path.resolve(publishDir)]
  if (inputs.base_url) flags.push('--base-url', inputs.base_url)
  if (inputs.config) flags.push('--config', inputs.config)
  if (isOn(inputs.strict)) flags.push('--strict')
  // What stands behind `--` is never taken for a flag.
  return ['build', ...flags, '--', inputs.site || '.']
}

const isOn = (input) => input === true || input === 'true'
