// Checks the inputs of netlify.toml, and translates them to arguments of the program.

const SWITCHES = { dry_run: '--dry-run', strict: '--strict' }
const LISTS = { source_map: '--source-map', accept: '--accept' }
const TEXTS = { config: '--config', memory: '--memory', since: '--since', record: '--record' }

/** Why the inputs are wrong, or undefined. A switch that is not understood must not read as off. */
export const checkInputs = (inputs) => {
  const wrong = [...Object.keys(SWITCHES), 'submit'].find((name) => !isKnown(inputs[name]))
  return wrong && `the input \`${wrong}\` is \`${inputs[wrong]}\`: write true or false`
}

const isKnown = (value) => [undefined, null, '', true, false, 'true', 'false'].includes(value)

/** Whether a switch is on. */
export const isOn = (value) => value === true || value === 'true'

/** The arguments for the inputs; those that every command has are not among them. */
export const flagsOf = (inputs) => [
  ...Object.entries(TEXTS).flatMap(([name, flag]) => (inputs[name] ? [flag, String(inputs[name])] : [])),
  ...Object.entries(LISTS).flatMap(([name, flag]) => listOf(inputs[name]).flatMap((item) => [flag, item])),
  ...Object.entries(SWITCHES).flatMap(([name, flag]) => (isOn(inputs[name]) ? [flag] : [])),
]

/** An array, or a string with one item per line. */
const listOf = (value) => {
  const items = Array.isArray(value) ? value : String(value ?? '').split('\n')
  return items.map((item) => String(item).trim()).filter((item) => item !== '')
}
