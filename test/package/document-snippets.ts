import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const documents = join(import.meta.dirname, '../../docs')

/** The TypeScript of the documents, each block a file of a store, by its path. Those of `start.md` have their own paths. */
export function documentSnippets(): Map<string, string> {
  const files = new Map<string, string>()
  for (const page of readdirSync(documents).filter(
    (name) => name.endsWith('.md') && name !== 'start.md',
  )) {
    const text = readFileSync(join(documents, page), 'utf8')
    let count = 0
    for (const [, extension, snippet = ''] of text.matchAll(/```(tsx?)\n(.*?)```/gs)) {
      files.set(`documents/${basename(page, '.md')}-${++count}.${extension}`, snippet)
    }
  }
  return files
}
