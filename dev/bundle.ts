import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { storeDirectory } from './environment.ts'

// Inside the project, where Node finds this package as well.
const directory = path.join(storeDirectory, '.built')

/**
 * Makes one file of JavaScript of a script of the store and of what it imports of the store. With a loader of
 * TypeScript, its process takes twice the time to start. Returns the file.
 */
export async function bundle(script: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(storeDirectory, script)],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    // The store's files find what lies beside them.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path.join(storeDirectory, script))) },
    write: false,
    logLevel: 'error',
  })
  const file = path.join(directory, script.replace(/\.ts$/, '.mjs'))
  const written = `${file}.${randomUUID()}`
  mkdirSync(directory, { recursive: true })
  writeFileSync(written, outputFiles.map(({ text }) => text).join(''))
  // Another process may be about to read the one that is there.
  renameSync(written, file)
  return file
}
