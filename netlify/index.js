// Runs waypost on the published directory after a Netlify build, adds its result to the deploy's
// summary, and notifies search engines after the deploy if asked to. The program decides and reports
// everything; the plugin only calls it.

import { mkdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

import { checkInputs, flagsOf, isOn } from './inputs.js'
import { findProgram, runProgram } from './program.js'
import { failureOf, resultOf, statusOf, submitStatusOf } from './report.js'

// Where the record of the last submission is between builds.
const RECORD = 'node_modules/.cache/netlify-plugin-waypost/record'

export const onPostBuild = async ({ inputs, constants, utils }) => {
  const { site, program, problem } = prepared(inputs, constants)
  if (problem) {
    return utils.build.failBuild(problem)
  }
  const record = isOn(inputs.submit) && !inputs.record && !inputs.since ? await restored(site, utils) : []
  const memory = inputs.memory && path.join(site.dir, inputs.memory)
  if (memory) {
    await utils.cache.restore(memory)
  }
  const run = runProgram(program, ['build', '--json', ...site.flags, ...record, ...flagsOf(inputs), '--', site.root], site.dir)
  process.stderr.write(run.stderr ?? '')
  const result = resultOf(run)
  if (run.error || run.status !== 0 || !result?.pages) {
    return utils.build.failBuild(failureOf(program, run))
  }
  if (memory) {
    await utils.cache.save(memory)
  }
  utils.status.show(statusOf(result))
}

export const onSuccess = async ({ inputs, constants, utils }) => {
  // The sitemaps of a preview are not those of the site.
  if (!isOn(inputs.submit) || isOn(inputs.dry_run) || process.env.CONTEXT !== 'production') {
    return
  }
  const { site, program, problem } = prepared(inputs, constants)
  if (problem) {
    return utils.build.failPlugin(problem)
  }
  const record = await restored(site, utils)
  mkdirSync(path.join(site.dir, RECORD), { recursive: true })
  const given = ['config', 'memory', 'source_map', 'accept']
  const known = Object.fromEntries(given.map((name) => [name, inputs[name]]))
  const run = runProgram(program, ['submit', '--json', ...site.flags, ...record, ...flagsOf(known), '--', site.root], site.dir)
  process.stderr.write(run.stderr ?? '')
  const result = resultOf(run)
  if (run.error || run.status !== 0 || !result) {
    // The deploy is published, so only the plugin fails.
    return utils.build.failPlugin(failureOf(program, run))
  }
  await utils.cache.save(path.join(site.dir, RECORD))
  utils.status.show(submitStatusOf(result))
}

/** The site, the program, or why the build cannot go on. */
const prepared = (inputs, { PACKAGE_PATH, PUBLISH_DIR }) => {
  const problem = checkInputs(inputs)
  if (problem) {
    return { problem }
  }
  // In a monorepo the build runs above the package, whose directory has the site.
  const dir = path.resolve(PACKAGE_PATH || '.')
  const flags = ['--output-dir', path.resolve(PUBLISH_DIR)]
  if (inputs.base_url) flags.push('--base-url', inputs.base_url)
  return { site: { dir, flags, root: inputs.site || '.' }, ...findProgram(inputs.binary, dir) }
}

/** Restores the record of the last submission, and returns the flag for it. */
const restored = async (site, utils) => {
  await utils.cache.restore(path.join(site.dir, RECORD))
  return ['--record', RECORD]
}
