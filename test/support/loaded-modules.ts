import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { storeConnect } from '../../src/plugin.js'

const root = join(import.meta.dirname, '../..')

/** A copy of the plugin that tells which of its modules are loaded. */
export async function tellingPlugin() {
  const directory = mkdtempSync(join(tmpdir(), 'storeconnect-modules-'))
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  const sources = namesBelow(join(root, 'src')).filter((name) => /\.tsx?$/.test(name))
  await build({
    entryPoints: sources.map((name) => join(root, 'src', name)),
    outdir: directory,
    format: 'esm',
    jsx: 'automatic',
    target: 'node20',
  })
  const loaded = new Set<string>()
  Object.assign(globalThis, { [key(directory)]: loaded })
  for (const name of namesBelow(directory).filter((each) => each.endsWith('.js'))) {
    const path = join(directory, name)
    const line = `globalThis[${JSON.stringify(key(directory))}].add(${JSON.stringify(name)});`
    writeFileSync(path, `${line}\n${readFileSync(path, 'utf8')}`)
  }
  const { href } = pathToFileURL(join(directory, 'plugin.js'))
  const plugin = (await import(/* @vite-ignore */ href)) as { storeConnect: typeof storeConnect }
  return { ...plugin, loaded, remove: () => rmSync(directory, { recursive: true }) }
}

const key = (directory: string): string => `modules loaded from ${directory}`

const namesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('node_modules'),
  )
