import type { ListReport } from '../../marketing/settings/list-endpoint.js'

/** What the shop knows about the lists, or why it did not answer. */
export type ListAnswer = ListReport | { is: 'forbidden' } | { is: 'unanswered' }

interface ListChoice {
  label: string
  value: string
  [key: string]: unknown
}

/** The lists to choose from. When two lists have the same name, the label has the id too. */
export function choicesOf(answer: ListAnswer | undefined): ListChoice[] {
  if (answer?.is !== 'known') return []
  const counts = new Map<string, number>()
  for (const { name } of answer.lists) counts.set(name, (counts.get(name) ?? 0) + 1)
  return answer.lists.map(({ id, name }) => {
    const isAlone = name.trim() !== '' && counts.get(name) === 1
    return { value: id, label: isAlone ? name : `${name} (${id})`.trim() }
  })
}

/** The picked lists. One that Klaviyo does not name stays, with `goneLabel` when it surely has it no more. */
export function pickedOf(
  ids: readonly string[],
  answer: ListAnswer | undefined,
  goneLabel: (id: string) => string,
): ListChoice[] {
  const choices = new Map(choicesOf(answer).map((choice) => [choice.value, choice]))
  const isSure = answer?.is === 'known' && answer.isComplete
  return ids.map((id) => choices.get(id) ?? { value: id, label: isSure ? goneLabel(id) : id })
}

export const idsOf = (value: unknown): string[] =>
  [value].flat().filter((id): id is string => typeof id === 'string' && id !== '')
