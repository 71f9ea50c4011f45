import { createRequire } from 'node:module'
import { join } from 'node:path'
import type prettier from 'prettier'
import { committed } from './git.js'
import type { Dialog } from './dialog.js'
import type { FileChange } from './project-files.js'
import { bare } from './steps/files.js'

type Prettier = typeof prettier

/**
 * Formats changed code as the store does: by its own Prettier, where it has one with a configuration. A file that was
 * not formatted before stays as it is around the change, and one that is only formatted otherwise than git's is git's.
 *
 * @param dialog Told where Prettier fails, such as for a plugin that is not installed: the change is made without it.
 */
export async function formatChanges(
  { folder, changes }: { folder: string; changes: readonly FileChange[] },
  { say }: Pick<Dialog, 'say'>,
): Promise<FileChange[]> {
  const found = prettierOf(folder)
  const formatted = await Promise.all(
    changes.map(async (change) => {
      const { path, after } = change
      if (after === undefined || !/\.[mc]?[jt]sx?$/.test(path)) return change
      const before = committed(folder, path)
      if (before !== undefined && bare(before) === bare(after)) return { ...change, after: before }
      if (!found) return change
      try {
        return { ...change, after: await formattedText(found, folder, change) }
      } catch (error) {
        say(`Prettier did not format ${path}: ${(error as Error).message}`)
        return change
      }
    }),
  )
  return formatted.filter(({ before, after }) => before !== after)
}

function prettierOf(folder: string): Prettier | undefined {
  const { resolve } = createRequire(join(folder, 'package.json'))
  try {
    resolve('prettier')
  } catch {
    return undefined
  }
  return createRequire(join(folder, 'package.json'))('prettier') as Prettier
}

async function formattedText(
  { check, format, getFileInfo, resolveConfig }: Prettier,
  folder: string,
  { path, before, after = '' }: FileChange,
): Promise<string> {
  const filepath = join(folder, path)
  const [options, { ignored }] = await Promise.all([
    resolveConfig(filepath, { editorconfig: true }),
    getFileInfo(filepath, { ignorePath: join(folder, '.prettierignore') }),
  ])
  if (options === null || ignored) return after
  const asStore = { ...options, filepath }
  const wasFormatted = before === undefined || (await check(before, asStore))
  return wasFormatted ? format(after, asStore) : after
}
