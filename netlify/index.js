// Runs waypost on the published directory after a Netlify build, and adds a line to the deploy's
// summary. The program decides and reports everything; the plugin only calls it.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'

import { findProgram } from './program.js'
import { failureOf, statusOf } from './report.js'

// Enough for the findings of a site with a million pages.
const MOST_OUTPUT = 1024 * 1024 * 1024

export const onPostBuild = ({ inputs, constants, utils }) => {
  const { program, problem } = findProgram(inputs.binary)
  if (!program) {
    return utils.build.failBuild(problem)
  }
  const run = spawnSync(program, argumentsOf(inputs, constants.PUBLISH_DIR), {
    encoding: 'utf8',
    // The program must treat this as a Netlify build wherever it runs.
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
  // Arguments after `--` are never parsed as flags.
  return ['build', ...flags, '--', inputs.site || '.']
}

const isOn = (input) => input === true || input === 'true'
