import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const project = join(import.meta.dirname, '../../..')

/** The files of the project and the packages that a script loads before its first line runs. */
async function loadedAtOnce(script: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: project,
    bundle: true,
    entryPoints: [script],
    format: 'esm',
    metafile: true,
    outdir: 'unused',
    packages: 'external',
    platform: 'node',
    write: false,
  })
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const { path, kind } of metafile.inputs[file]?.imports ?? []) {
      if (kind === 'import-statement') load(path)
    }
  }
  load(script)
  return [...loaded]
}

const isBuilt = (path: string): boolean => /^(payload-storeconnect|dist)\b/.test(path)

describe('A fresh clone, where nothing is built yet', () => {
  it.each([
    'dev/start.ts',
    'dev/klaviyo/klaviyo.ts',
    'dev/shipstation/shipstation.ts',
    'dev/seed/orders.ts',
    'dev/screenshots/take.ts',
  ])('runs %s, which loads the plugin only once that is built', async (script) => {
    expect((await loadedAtOnce(script)).filter(isBuilt)).toEqual([])
  })

  it('has a plugin to build, which the store needs once it is served', async () => {
    expect((await loadedAtOnce('dev/serve.ts')).filter(isBuilt)).not.toEqual([])
  })
})
