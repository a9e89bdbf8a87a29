// The Docusaurus plugin: writes the sitemap after a build, with the URL and the output directory of
// the site.

const { spawn } = require('node:child_process')
const path = require('node:path')
const { findProgram } = require('./program.js')

/** The plugin; with the option `strict`, warnings are errors. */
module.exports = (_context, { strict = false } = {}) => ({
  name: 'waypost',
  async postBuild({ baseUrl, generatedFilesDir, i18n, outDir, siteConfig, siteDir }) {
    if (!isLastLanguage(i18n)) return
    const site = topOfSite({ baseUrl, i18n, outDir })
    const flags = [`--output-dir=${site.outDir}`, `--base-url=${new URL(site.baseUrl, siteConfig.url)}`]
    // Docusaurus lists the sources of its pages there.
    flags.push(`--source-map=${generatedFilesDir}`)
    if (strict) flags.push('--strict')
    await run(findProgram(), ['build', ...flags, '--', siteDir])
  },
})

/** Whether the output is complete: Docusaurus builds the default language first, each other one below it. */
const isLastLanguage = ({ currentLocale, defaultLocale, locales }) => {
  // With `--locale`, the configuration does not name the last language.
  if (process.argv.some((argument) => /^(-l|--locale(=.*)?)$/.test(argument))) return true
  const others = locales.filter((locale) => locale !== defaultLocale)
  return currentLocale === (others.at(-1) ?? defaultLocale)
}

/** The output directory and base URL of the default language, which contain the others. */
const topOfSite = ({ baseUrl, i18n, outDir }) => {
  const top = i18n.localeConfigs[i18n.defaultLocale]?.baseUrl ?? baseUrl
  const below = baseUrl.startsWith(top) ? baseUrl.slice(top.length).split('/').filter(Boolean) : []
  const isBelow = below.length > 0 && outDir.split(path.sep).filter(Boolean).slice(-below.length).join() === below.join()
  return isBelow ? { outDir: path.resolve(outDir, ...below.map(() => '..')), baseUrl: top } : { outDir, baseUrl }
}

const run = (program, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`waypost ended with ${signal ?? `exit code ${code}`}`))
    })
  })
