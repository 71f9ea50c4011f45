import { expect, it } from 'vitest'
import { englishText, type PlainKey } from '../../../../src/core/translations/translation.js'
import { storyTeller } from '../../../../src/merchant/admin/story-words.js'
import { createWords } from '../../../../src/merchant/admin/words.js'

const words = createWords({
  t: (key: string) => englishText(key.replace('storeconnect:', '') as PlainKey),
  language: 'en',
  translations: {},
})

it.each([
  ['out-for-delivery', 'Out for delivery: UPS · 1Z999AA1'],
  ['attempted', 'Delivery failed, another try follows: UPS · 1Z999AA1'],
  ['delivered', 'Delivered: UPS · 1Z999AA1'],
] as const)('A story says of a parcel that is %s: %s', (state, title) => {
  const tell = storyTeller(words, { entries: [], statuses: {} })
  const parcel = { state, carrier: 'UPS', trackingNumber: '1Z999AA1' }
  expect(tell({ is: 'parcel', at: '2026-11-02T10:00:00.000Z', ...parcel })).toEqual({
    title,
    details: [],
  })
})
