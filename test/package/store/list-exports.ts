import { writeFileSync } from 'node:fs'
import { register } from 'node:module'

// Run in the store with the package's entries: what each exports, as JSON in exports.json.

// A bundler takes style sheets of the admin's components; Node does not.
const emptyStyles = `export const load = (url, context, next) =>
  /\\.css(\\?|$)/.test(url) ? { format: 'module', source: '', shortCircuit: true } : next(url, context)`
register(`data:text/javascript,${encodeURIComponent(emptyStyles)}`)

const names: Record<string, string[]> = {}
for (const entry of process.argv.slice(2)) {
  names[entry] = Object.keys((await import(entry)) as object)
}
writeFileSync(new URL('exports.json', import.meta.url), JSON.stringify(names))
process.exit(0)
