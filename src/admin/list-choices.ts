import type { ListAnswer } from './list-report.js'

/** A list in the menu, or one that was picked. */
export interface ListChoice {
  label: string
  value: string
  [key: string]: unknown
}

/** The lists to choose from. Of two with the same name, the id tells which is which. */
export function choicesOf(answer: ListAnswer | undefined): ListChoice[] {
  if (answer?.is !== 'known') return []
  const counts = new Map<string, number>()
  for (const { name } of answer.lists) counts.set(name, (counts.get(name) ?? 0) + 1)
  return answer.lists.map(({ id, name }) => {
    const isAlone = name.trim() !== '' && counts.get(name) === 1
    return { value: id, label: isAlone ? name : `${name} (${id})`.trim() }
  })
}

/**
 * The lists that were picked. One that the platform has no more stays what it is, and `goneLabel`
 * says so, but only where all lists are known.
 */
export function pickedOf(
  ids: readonly string[],
  answer: ListAnswer | undefined,
  goneLabel: (id: string) => string,
): ListChoice[] {
  const known = new Map(choicesOf(answer).map((choice) => [choice.value, choice]))
  const isSure = answer?.is === 'known' && answer.isComplete
  return ids.map((id) => known.get(id) ?? { value: id, label: isSure ? goneLabel(id) : id })
}

/** What a field holds, as ids. */
export const idsOf = (value: unknown): string[] =>
  [value].flat().filter((id): id is string => typeof id === 'string' && id !== '')
