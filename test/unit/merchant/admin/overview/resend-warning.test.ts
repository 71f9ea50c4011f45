import { expect, it } from 'vitest'
import { resendWarning } from '../../../../../src/merchant/admin/overview/resend-warning.js'
import { createWords } from '../../../../../src/merchant/admin/words.js'
import { en } from '../../../../../src/core/translations/en.js'

const texts: Readonly<Record<string, string>> = en
const t = (key: string, variables: Record<string, string | number> = {}) =>
  (texts[key.replace('storeconnect:', '')] ?? key).replaceAll(/{{(\w+)}}/g, (_, name: string) =>
    String(variables[name]),
  )
const words = createWords({ t, language: 'en', translations: { storeconnect: en } })
const day = 24 * 60 * 60_000

const failure = (count: number, firstAt: Date | undefined) => ({
  reason: 'invalid',
  isStored: true,
  count,
  firstAt,
  newestAt: firstAt,
  sample: { id: 1, code: 'invalid', detail: '' },
})

it('says how many sends go out again, and how old the oldest is', () => {
  const at = new Date(Date.now() - 3.5 * day)
  expect(resendWarning(failure(2, at), words)).toBe(
    `2 messages go to Klaviyo again. The oldest is from ${words.moment(at)} (3 days ago).`,
  )
  expect(resendWarning(failure(1, undefined), words)).toBe('1 message goes to Klaviyo again.')
  // One press resends no more.
  expect(resendWarning(failure(60_000, undefined), words)).toBe(
    '50,000 messages go to Klaviyo again.',
  )
})
