import type { Draft } from './draft.js'

export type Found = Record<string, string | undefined>

/** One way of writing something, and what it adds to the draft. Undefined refuses the text. */
export type Rule = { pattern: RegExp; read: (found: Found, draft: Draft) => Draft | undefined }

export const rule = (pattern: string, read: Rule['read']): Rule => ({
  pattern: new RegExp(pattern, 'y'),
  read,
})

/** Letters in either case. No i flag instead: PHP reads some words in one case only. */
export const anyCase = (pattern: string) =>
  pattern.replace(/\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)

/** Alternatives, the longest first: "month" has to be tried before "mon". */
export const oneOf = (words: readonly string[]) =>
  `(?:${[...words].sort((one, other) => other.length - one.length).join('|')})`

export const GAP = String.raw`(?:[ \t]+|\u00a0+|\u202f+)`
