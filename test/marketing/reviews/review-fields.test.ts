import { describe, expect, it } from 'vitest'
import type { CollectionConfig } from 'payload'
import type { GivenReviews } from '../../../src/marketing/reviews/review-options.js'
import { storeConfig } from '../../support/store-config.js'
import { anyKind } from '../../support/store.js'

const reviews: CollectionConfig = {
  slug: 'reviews',
  fields: [
    { name: 'author', type: 'relationship', relationTo: 'users' },
    { name: 'product', type: 'relationship', relationTo: 'products' },
    { name: 'about', type: 'relationship', relationTo: ['products', 'users'] },
    { name: 'stars', type: 'number' },
    { name: 'verified', type: 'date' },
    { name: 'marks', type: 'number', hasMany: true },
    { name: 'mails', type: 'array', fields: [{ name: 'address', type: 'email' }] },
  ],
}

const configOf = (given: unknown) =>
  storeConfig({
    kind: anyKind,
    url: 'unused.db',
    collections: [reviews],
    options: { marketing: { ...(given !== undefined && { reviews: given as GivenReviews }) } },
  })

describe('The option marketing.reviews', () => {
  it.each<[string, unknown, RegExp]>([
    ['no collection', {}, /marketing\.reviews\.collection/],
    ['an unknown option', { collection: 'reviews', email: 'x' }, /"email"[^]*marketing\.reviews/],
    ['no status at all', { collection: 'reviews', statuses: [] }, /marketing\.reviews\.statuses/],
    ['too many days', { collection: 'reviews', requestAfterDays: 91 }, /requestAfterDays/],
    ['a collection that there is not', { collection: 'opinions' }, /"opinions", and the store has/],
    ['nobody who wrote it', { collection: 'reviews' }, /neither the customer nor the email/],
    ['a field that there is not', named({ rating: 'points' }), /fields\.rating is "points"/],
    [
      'a field of another type',
      named({ verified: 'stars' }),
      /a field of type number: name one of type checkbox/,
    ],
    ['a field with several values', named({ rating: 'marks' }), /fields\.rating .* holds several/],
    ['a field in a list', named({ email: 'mails.0.address' }), /fields\.email .* in a list/],
    ['another relation', named({ customer: 'product' }), /which relates to "products"/],
    ['several relations', named({ product: 'about' }), /fields\.product .* relates to/],
  ])('stops the start and names what is wrong: %s', async (_, given, message) => {
    await expect(configOf(given)).rejects.toThrow(message)
  })

  it('adds its note to the collection, and without it there is none', async () => {
    const noteIn = async (given: unknown) => {
      const { collections } = await configOf(given)
      const found = collections.find(({ slug }) => slug === 'reviews')
      return found?.flattenedFields.some(({ name }) => name === 'sentReview')
    }
    expect(await noteIn(named({ rating: 'stars' }))).toBe(true)
    expect(await noteIn(undefined)).toBe(false)
  })
})

function named(fields: Record<string, string>) {
  return { collection: 'reviews', fields: { customer: 'author', ...fields } }
}
