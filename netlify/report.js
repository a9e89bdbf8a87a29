// Formats the program's output for Netlify. Titles and paths of a site may be hostile, so they are
// put in code spans.

const MOST_FINDINGS = 10

/** The object that the program prints, or undefined. */
export const resultOf = (run) => {
  try {
    return JSON.parse(run.stdout)
  } catch {
    return undefined
  }
}

/** The argument of `utils.status.show` after a build. */
export const statusOf = (result) => {
  const { found, listed, excluded } = result.pages
  const title = result.preview ? 'No sitemap for a preview' : `${listed} of ${found} pages in the sitemap`
  const { added, removed, redated } = result.changes
  const changes = `${added} added, ${removed} removed, ${redated} re-dated`
  const summary = result.preview ? 'This is a preview build, so nothing is written' : `${changes}; ${result.base_url}`
  const text = [datesOf(result), ...reasons(excluded), ...findings(result.findings)]
  return { title, summary, text: text.join('\n') }
}

/** The argument of `utils.status.show` after a submission. */
export const submitStatusOf = (result) => {
  const { added, changed, removed } = result
  const requests = result.requests.map(({ target, urls, answer }) => `- ${span(target)}: ${urls} URLs, ${answer?.outcome ?? 'not sent'}`)
  const summary = `${added} URLs added, ${changed} changed, ${removed} removed`
  const title = requests.length > 0 ? 'Search engines are notified' : 'Nothing to tell search engines'
  return { title, summary, text: requests.join('\n') || '- No requests' }
}

/** Reason why the build fails: the errors that the program printed. */
export const failureOf = (program, run) => {
  if (run.error) {
    return `cannot run waypost as \`${program}\`: ${run.error.message}`
  }
  const printed = run.stderr.split(/\n(?=(?:error|warning|note)\b)/).map((part) => part.trim())
  const errors = printed.filter((part) => part.startsWith('error'))
  // Under `strict` warnings fail the build too.
  const shown = errors.length > 0 ? errors : printed.filter((part) => part.startsWith('warning'))
  const ending = run.status === 0 ? 'printed no result' : `ended with ${run.status ?? run.signal}`
  return shown.slice(0, MOST_FINDINGS).join('\n') || `\`${program}\` ${ending}; the log has its messages`
}

const DATES = { git: 'from Git', none: 'without a date', pages_below: 'from the pages below' }

const datesOf = ({ dates, pages }) => {
  const counts = Object.entries(dates ?? {}).map(([origin, count]) => `${count} ${DATES[origin] ?? `from ${origin.replaceAll('_', ' ')}`}`)
  const line = `- Dates of ${pages.listed} pages: ${counts.join(', ') || 'none'}`
  const isUndated = pages.listed > 0 && (dates?.none ?? 0) === pages.listed
  return isUndated ? `${line}. No page has a date: is \`site\` the root of the generator's site?` : line
}

const reasons = (excluded) => Object.entries(excluded).map(([reason, count]) => `- ${count} excluded: \`${reason}\``)

const findings = (all) => {
  const shown = all.filter(({ level }) => level !== 'allow')
  if (shown.length === 0) {
    return ['- No findings']
  }
  const lines = shown.slice(0, MOST_FINDINGS).map(({ code, file, message }) => {
    const place = file ? `${span(file)}: ` : ''
    return `- **${code}** ${place}${span(message)}`
  })
  return shown.length > MOST_FINDINGS ? [...lines, `- ${shown.length - MOST_FINDINGS} more findings`] : lines
}

const span = (text) => '`' + String(text).replaceAll('`', "'").replaceAll(/\s+/g, ' ') + '`'
