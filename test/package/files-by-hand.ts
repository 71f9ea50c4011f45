import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const byHand = join(import.meta.dirname, '../../docs/start.md')

/**
 * The files that `docs/start.md` tells a store's developer to make, by their paths: its code blocks that
 * start with a path and are whole.
 *
 * @param pages The folder of the store's pages.
 */
export function filesByHand(pages = 'app'): Map<string, string> {
  const files = new Map<string, string>()
  for (const [, text = ''] of readFileSync(byHand, 'utf8').matchAll(/```tsx?\n(.*?)```/gs)) {
    const path = /^\/\/ (\S+)\n/.exec(text)?.[1]
    if (path === undefined || text.includes('…')) continue
    if (path.endsWith('/page.tsx')) {
      const page = path.replace(/^app/, pages)
      files.set(page, text.replace(/'[./]+storeconnect'/, `'${entryFrom(page)}'`))
    } else files.set(path, text)
  }
  return files
}

/** Where a page finds the pieces for pages. */
const entryFrom = (page: string) => relative(dirname(page), 'storeconnect')
