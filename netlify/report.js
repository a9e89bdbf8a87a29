// Formats the program's output for Netlify. Titles and paths of a site may be hostile, so they are
// put in code spans.

const MOST_FINDINGS = 10

/** The argument of `utils.status.show`. */
export const statusOf = (result) => {
  const { found, listed, excluded } = result.pages
  const title = result.preview ? 'No sitemap for a preview' : `${listed} of ${found} pages in the sitemap`
  const { added, removed, redated } = result.changes
  const changes = `${added} added, ${removed} removed, ${redated} re-dated`
  const summary = result.preview ? 'This is a preview build, so nothing is written' : `${changes}; ${result.base_url}`
  return { title, summary, text: [...reasons(excluded), ...findings(result.findings)].join('\n') || 'No findings' }
}

/** Reason why the build fails: the errors that the program printed. */
export const failureOf = (program, run) => {
  if (run.error) {
    return `cannot run waypost as \`${program}\`: ${run.error.message}`
  }
  const said = run.stderr.split(/\n(?=(?:error|warning|note)\b)/).map((part) => part.trim())
  const errors = said.filter((part) => part.startsWith('error'))
  // Under `strict` warnings fail the build too.
  const shown = errors.length > 0 ? errors : said.filter((part) => part.startsWith('warning'))
  return shown.slice(0, MOST_FINDINGS).join('\n') || `waypost exited with ${run.status ?? run.signal}`
}

const reasons = (excluded) => Object.entries(excluded).map(([reason, count]) => `- ${count} excluded: \`${reason}\``)

const findings = (all) => {
  const shown = all.filter(({ level }) => level !== 'allow')
  const lines = shown.slice(0, MOST_FINDINGS).map(({ code, file, message }) => {
    const place = file ? `${span(file)}: ` : ''
    return `- **${code}** ${place}${span(message)}`
  })
  return shown.length > MOST_FINDINGS ? [...lines, `- ${shown.length - MOST_FINDINGS} more findings`] : lines
}

const span = (text) => '`' + String(text).replaceAll('`', "'").replaceAll(/\s+/g, ' ') + '`'
