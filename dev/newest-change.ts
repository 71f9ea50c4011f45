import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * When anything in these files and directories last changed, in milliseconds; 0 when none of them
 * exists. Names in `except` are passed over at any depth.
 */
export function newestChange(paths: string[], except: string[] = []): number {
  return Math.max(0, ...paths.map((each) => changeOf(each, except)))
}

function changeOf(file: string, except: string[]): number {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  const inside = readdirSync(file)
    .filter((name) => !except.includes(name))
    .map((name) => path.join(file, name))
  return newestChange(inside, except)
}
