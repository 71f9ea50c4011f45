import { writeFileSync } from 'node:fs'
import { register } from 'node:module'
import process from 'node:process'
import { URL } from 'node:url'

// Run in the store with the package's entries: what each exports, as JSON in exports.json.

// A bundler takes style sheets of the admin's components; Node does not.
const emptyStyles = `export const load = (url, context, next) =>
  /\\.css(\\?|$)/.test(url) ? { format: 'module', source: '', shortCircuit: true } : next(url, context)`
register(`data:text/javascript,${encodeURIComponent(emptyStyles)}`)

const names = {}
for (const entry of process.argv.slice(2)) {
  names[entry] = Object.keys(await import(entry))
}
writeFileSync(new URL('exports.json', import.meta.url), JSON.stringify(names))
process.exit(0)
