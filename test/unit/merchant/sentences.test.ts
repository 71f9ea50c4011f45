import { describe, expect, it } from 'vitest'
import type { MatterFacts } from '../../../src/core/matter.js'
import { allTranslations } from '../../../src/core/translations/translations.js'
import type { SendWait } from '../../../src/marketing/delivery/send-wait.js'
import { keyFeatures, type KeyFeatureName } from '../../../src/marketing/klaviyo/key-scopes.js'
import { waitText } from '../../../src/merchant/admin/send-words.js'
import { createWords } from '../../../src/merchant/admin/words.js'
import { conditionsOf } from '../../../src/merchant/alerts/conditions.js'
import { matterText } from '../../../src/merchant/alerts/matter-text.js'
import { allMatters } from '../../support/all-matters.js'

const translations = await allTranslations()
const languages = Object.keys(translations)

/** The words of a language, with the moments as a reader cannot see them anywhere else. */
function wordsIn(language: string) {
  const texts: Record<string, string> = { ...translations[language] }
  const t = (key: string, variables: Record<string, string | number> = {}) =>
    (texts[key.replace('storeconnect:', '')] ?? `no ${key}`).replace(
      /\{\{(\w+)\}\}/g,
      (gap, name: string) => String(variables[name] ?? gap),
    )
  const words = createWords({ t, language, translations: { storeconnect: texts } })
  const moment = (at: Date) => `<${at.toISOString()}>`
  return { ...words, moment, instant: moment }
}

const since = '2026-11-02T10:00:00.000Z'
const until = '2026-11-03T11:30:00.000Z'

/** A gap that is left, a value that nobody knew, or a text that is not there. */
const unfinished = /\{\{|\}\}|\bno storeconnect|\b(?:undefined|null|NaN)\b/

const waits: Record<SendWait['for'], SendWait[]> = {
  key: (['missing', 'unreadable', 'variable-missing'] as const).map((problem) => ({
    for: 'key',
    problem,
  })),
  scope: (Object.keys(keyFeatures) as KeyFeatureName[]).map((feature) => ({
    for: 'scope',
    feature,
    scopes: ['events:write'],
  })),
  'key-refused': [{ for: 'key-refused' }],
  'call-refused': [{ for: 'call-refused' }],
  retired: [{ for: 'retired' }],
  outage: [{ for: 'outage' }, { for: 'outage', until }],
  asked: [{ for: 'asked', until }],
  limit: [{ for: 'limit', until }],
  retry: [{ for: 'retry', until }],
  earlier: [{ for: 'earlier', send: { id: 7, acceptedAt: until } }],
  'in-call': [{ for: 'in-call' }],
  nobody: [{ for: 'nobody' }],
  run: [{ for: 'run' }],
  turn: [{ for: 'turn' }],
}

const facts: MatterFacts = {
  ...{ since, refusedAt: since, until, page: 3, pages: 8, scopes: 'events:write' },
  reason: { code: 'invalid', detail: 'No price' },
}

describe.each(languages)('In the language %s', (language) => {
  const words = wordsIn(language)
  const english = wordsIn('en')
  const expectSaid = (say: (of: typeof words) => string | undefined): string => {
    const text = say(words) ?? ''
    expect(text).not.toBe('')
    expect(text).not.toMatch(unfinished)
    if (language !== 'en') expect(text).not.toBe(say(english))
    return text
  }

  it('a send says why it waits, with the moment if there is one', () => {
    for (const wait of Object.values(waits).flat()) {
      const text = expectSaid((of) => waitText(wait, of))
      const hasMoment = 'until' in wait || 'send' in wait
      expect(text.split(`<${until}>`)).toHaveLength(hasMoment ? 2 : 1)
    }
  })

  it('a matter says what is wrong, what to do and that it is over', () => {
    const rows = Object.values(conditionsOf(allMatters))
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      for (const count of [1, 2, 5, 22, 100])
        expectSaid((of) => matterText(row, { ...facts, count }, of))
      // Nobody knows since when.
      expectSaid((of) => matterText(row, { page: 3, pages: 8 }, of))
      const { advice, over = 'alertOver' } = row
      if (advice !== undefined) expectSaid(({ translate }) => translate(advice))
      expectSaid(({ translate }) => translate(over, { at: since, what: '' }))
    }
    expectSaid(({ translate }) => translate('alertPulled', { at: since }))
  })
})
