import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const support = import.meta.dirname

/** They are native, or load what they need while they run. */
const external = ['@libsql/*', 'libsql', 'drizzle-kit', 'pg-native', 'sharp']

/** What a bundle of Payload's CommonJS dependencies calls. */
const requireInModules = `import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(import.meta.url)`

/**
 * The scripts of the tests' own processes, bundled with the package and Payload into a temporary folder.
 * Node starts a bundle in a third of the time that it takes for a thousand files.
 */
export async function bundleProcessScripts() {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-scripts-'))
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(support, '../../node_modules'), join(directory, 'node_modules'))
  const scripts = readdirSync(support).filter((name) => /-process\.ts$/.test(name))
  await build({
    entryPoints: scripts.map((name) => join(support, name)),
    outdir: directory,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    keepNames: true,
    external,
    banner: { js: requireInModules },
    logLevel: 'error',
  })
  return { directory, remove: () => rmSync(directory, { recursive: true }) }
}
