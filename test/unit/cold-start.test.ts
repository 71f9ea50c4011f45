import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** The packages that a file imports at once, by itself or by another file of the source. */
async function importedAtOnce(file: string): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    metafile: true,
    outdir: 'dist',
    packages: 'external',
    splitting: true,
    write: false,
  })
  const packages = new Set<string>()
  const files = new Set([file])
  for (const each of files) {
    for (const { path, kind, external } of metafile.inputs[each]?.imports ?? []) {
      if (kind !== 'import-statement') continue
      if (external) packages.add(path)
      else files.add(path)
    }
  }
  return packages
}

it('a cold start loads neither classic zod nor a library that only what runs needs: phone numbers, sealed cookies, dates, XML', async () => {
  for (const file of ['src/index.ts', 'src/shipping/features.ts', 'src/marketing/features.ts']) {
    const packages = await importedAtOnce(file)
    expect(packages).toContain('zod/mini')
    for (const late of ['zod', 'libphonenumber-js/min', 'jose', 'luxon', 'fast-xml-parser']) {
      expect(packages, file).not.toContain(late)
    }
  }
})
