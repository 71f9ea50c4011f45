import { countedAtMost, type MatterFacts, type MatterRow } from '../../core/matter.js'
import type { TranslationKey, Translator } from '../../core/payload/label.js'

interface Words {
  translate: Translator
  /** The same in the singular or the plural. */
  counted: (key: TranslationKey, count: number, variables: Record<string, string>) => string
  moment: (at: Date) => string
}

/** The sentence that says what is open; undefined for a first step that only its own text names. */
export function matterText(
  row: MatterRow,
  facts: MatterFacts,
  { translate, counted, moment }: Words,
): string | undefined {
  const { count = 0, since, refusedAt, until, page, pages, scopes = '', reason } = facts
  const key = facts.text ?? ('text' in row ? row.text : undefined)
  const at = (date: string | undefined) =>
    date === undefined ? translate('overviewNever') : moment(new Date(date))
  return (
    key &&
    counted(key, count, {
      count: String(count),
      number: count >= countedAtMost ? `${countedAtMost}+` : String(count),
      since: at(since),
      refused: at(refusedAt),
      until: at(until),
      page: String(page),
      pages: String(pages),
      scopes,
      off: 'off' in row && row.off ? translate(row.off) : '',
      reason: ('text' in row && reason && row.sayReason?.(reason, translate)) || '',
    })
  )
}
