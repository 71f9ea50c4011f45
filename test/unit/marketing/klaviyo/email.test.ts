import fc from 'fast-check'
import type { EmailFieldValidation } from 'payload'
import { email as payloadEmail } from 'payload/shared'
import { describe, expect, it } from 'vitest'
import { readEmail } from '../../../../src/core/people/email.js'
import { propertyRuns, propertyTimeoutMs } from '../../../support/property-runs.js'

type ValidationOptions = Parameters<EmailFieldValidation>[1]

/** Whether Payload takes the email for a user account. */
const isTakenByPayload = (email: string): boolean =>
  payloadEmail(email, {
    req: { payload: { collections: {}, config: {} }, t: (key: string) => key },
    siblingData: {},
  } as unknown as ValidationOptions) === true

const good = [
  'ann@shop.example',
  'Ann.Smith+news@mail.shop.co.uk',
  "o'hara@shop.ie",
  'a@b.de',
  '!#$%&*+/=?^_`{|}~-@x.io',
  'ann@1.2.example',
  'ann@a--b.example',
  `${'a'.repeat(242)}@shop.exam`,
]

const bad = [
  '',
  ' ',
  'ann',
  '@shop.example',
  'ann@',
  'ann@shop',
  'ann@shop.e',
  'ann@shop.12',
  'ann@shop.e1',
  'ann@192.0.2.1',
  'ann@shop..example',
  'ann@.shop.example',
  'ann@shop.example.',
  'ann@-shop.example',
  'ann@shop-.example',
  'ann..smith@shop.example',
  '.ann@shop.example',
  'ann.@shop.example',
  'ann smith@shop.example',
  'ann@shop .example',
  'ann@bob@shop.example',
  '"ann"@shop.example',
  'änn@shop.example',
  'ann@münchen.example',
  'ann@shop.example\nbcc:bob@shop.example',
  'Ann <ann@shop.example>',
]

describe('readEmail', () => {
  it.each([...good, ...bad])('reads %j as Payload does', (email) => {
    const isGood = good.includes(email)
    expect(readEmail(email)).toBe(isGood ? email : undefined)
    expect(isTakenByPayload(email.trim()) && email.trim() !== '').toBe(isGood)
  })

  it('takes an email that the CMS accepts for a user account: top-level domain of at least two characters, not all digits', () => {
    expect(readEmail('ann@shop.de')).toBe('ann@shop.de')
    expect(readEmail('ann@shop.d')).toBeUndefined()
    expect(readEmail('ann@shop.42')).toBeUndefined()
  })

  it('takes away the white space around it', () => {
    expect(readEmail(' \tann@shop.example\n')).toBe('ann@shop.example')
  })

  it('takes 254 characters and no more', () => {
    const email = (length: number) => `${'a'.repeat(length - 13)}@shop.example`
    expect(readEmail(email(254))).toBe(email(254))
    expect(readEmail(email(255))).toBeUndefined()
  })

  it('answers on 64 KB texts that are made to stall a pattern', () => {
    for (const text of ['a'.repeat(65_536), `a@${'a.'.repeat(32_768)}`, '@'.repeat(65_536)]) {
      expect(readEmail(text)).toBeUndefined()
      expect(readEmail(`${text}@`)).toBeUndefined()
    }
  })

  it(
    'agrees with Payload on every text of up to 254 characters',
    { timeout: propertyTimeoutMs },
    () => {
      const piece = fc.constantFrom(..."aZ1.-@_+' äı", 'com')
      const likeAnEmail = fc
        .tuple(fc.array(piece, { maxLength: 8 }), fc.array(piece, { maxLength: 8 }))
        .map(([local, domain]) => `${local.join('')}@${domain.join('')}.com`)
      const text = fc.oneof(
        likeAnEmail,
        fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
        fc.emailAddress(),
        fc.string(),
      )
      fc.assert(
        fc.property(text, (written) => {
          const email = written.trim()
          if (email === '' || email.length > 254) return
          expect(readEmail(email)).toBe(isTakenByPayload(email) ? email : undefined)
        }),
        { numRuns: propertyRuns },
      )
    },
  )
})
