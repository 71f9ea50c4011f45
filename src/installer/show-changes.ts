import { createTwoFilesPatch } from 'diff'
import colours from 'picocolors'
import type { FileChange } from './project-files.js'

/** All changes as one diff, in colours where the terminal has them. */
export function diffOf(changes: readonly FileChange[]): string {
  return changes
    .map(({ path, before, after }) =>
      createTwoFilesPatch(
        before === undefined ? '/dev/null' : `a/${path}`,
        after === undefined ? '/dev/null' : `b/${path}`,
        before ?? '',
        after ?? '',
        undefined,
        undefined,
        { context: 2 },
      ).replace(/^=+\n/, ''),
    )
    .join('\n')
}

export function coloured(diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      if (/^(\+\+\+|---)/.test(line)) return colours.bold(line)
      if (line.startsWith('+')) return colours.green(line)
      return line.startsWith('-') ? colours.red(line) : line
    })
    .join('\n')
}
