import type { Shop } from '../../core/shop.js'
import { createFindPerson } from './find-person.js'
import type { PersonAnswer, PersonAtKlaviyo, PersonQuery } from './person.js'
import { accountOf, createReadPerson, type PersonNeed, type Reader } from './read-person.js'

export type People = ReturnType<typeof createPeople>

/** Finds people, and reads what the shop and Klaviyo have of them. */
export function createPeople(shop: Shop, parts: PersonNeed) {
  const find = createFindPerson(shop, parts.marketing)
  const read = createReadPerson(shop, parts)
  return {
    /**
     * Undefined: there is no such document, or it names nobody.
     *
     * @throws {Problem} PERSON_INVALID.
     */
    async read(query: PersonQuery, reader: Reader): Promise<PersonAnswer | undefined> {
      const [who, ...others] = await find(query)
      if (who === undefined) return undefined
      if (others.length === 0) return { is: 'person', person: await read(who, reader) }
      const accounts = [who, ...others].flatMap(({ account }) => account ?? [])
      const { customersSlug = '' } = shop
      return { is: 'several', accounts: accounts.map((each) => accountOf(each, customersSlug)) }
    },

    /**
     * What Klaviyo says; undefined where the shop has no Klaviyo, and without such a document.
     *
     * @throws {Problem} PERSON_INVALID.
     */
    async atKlaviyo(query: PersonQuery, reader: Reader): Promise<PersonAtKlaviyo | undefined> {
      const [who] = await find(query)
      return who && parts.marketing?.atKlaviyo(who, reader.translate)
    },
  }
}
