import type { Config, Endpoint, PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import { withChangedTable } from '../../core/database/changed-table.js'
import { snakeCase } from '../../core/database/database.js'
import { Problem } from '../../core/errors.js'
import { defineFeature, type StoreConfig } from '../../core/feature.js'
import { adminEndpoint } from '../../core/payload/admin-endpoint.js'
import { labelText, translatorOf } from '../../core/payload/label.js'
import { accountPhoneFields } from '../../core/people/phone-fields.js'
import { statusChoices } from '../../shop/orders/order-choices.js'
import { fieldsOfOrders, formerCustomerField } from '../../shop/orders/order-fields.js'
import type { PeopleParts } from './parts.js'
import { namingDocuments, personAtKlaviyoPath, personPath, type PersonQuery } from './person.js'
import type { People } from './people.js'
import type { Reader } from './read-person.js'

type Store = StoreConfig<object, PeopleParts>

/** The page of a person: everything that the shop knows of somebody, guests too. */
export const peopleFeature = defineFeature({
  endpoints: (store: Store): Endpoint[] => [
    personEndpoint(store, personPath, 'read'),
    ...(store.options.products.marketing
      ? [personEndpoint(store, personAtKlaviyoPath, 'atKlaviyo')]
      : []),
  ],
  config: (
    config: Config,
    { options: { collections, fields }, customersSlug }: StoreConfig,
  ): Config => {
    const indexed: [slug: string, ...fields: string[]][] = [
      [collections.orders, fields.customerEmail, formerCustomerField],
      [collections.transactions, 'customerEmail'],
      ...(customersSlug === undefined
        ? []
        : [[customersSlug, ...accountPhoneFields] as [string, ...string[]]]),
    ]
    return { ...config, db: indexed.reduce(withIndexes, config.db) }
  },
  parts: async (products) => (await import('./parts.js')).loadPeopleParts(products),
})

/** With an index of each of these fields that the collection keeps in its own table. */
const withIndexes = (db: Config['db'], [slug, ...fields]: [string, ...string[]]): Config['db'] =>
  withChangedTable(db, slug, (table) => {
    for (const key of fields.map((field) => field.replaceAll('.', '_'))) {
      const of = table.columns[key]
      if (of === undefined) continue
      const name = `${snakeCase(slug)}_person_${of.name}_idx`
      table.indexes = { ...table.indexes, [name]: { name, on: [key] } }
    }
  })

/** A longer text is neither an email nor a phone number. */
const query = z.object({
  by: z.enum(['text', ...namingDocuments]),
  value: z.string().check(z.maxLength(254)),
}) satisfies z.ZodMiniType<PersonQuery>

const personEndpoint = (store: Store, path: string, what: keyof People): Endpoint =>
  adminEndpoint(store, {
    method: 'post',
    path,
    async answer(req) {
      const { data } = query.safeParse(await req.json?.().catch(() => undefined))
      if (data === undefined) throw new Problem('PERSON_INVALID')
      const { people } = await store.partsOf(req.payload)
      const answer = await people[what](data, readerOf(store, req))
      return Response.json(answer ?? { errors: [] }, { status: answer === undefined ? 404 : 200 })
    },
  })

function readerOf({ options }: Store, req: PayloadRequest): Reader {
  const choices = statusChoices(fieldsOfOrders(req.payload, options), options.fields.status)
  return {
    translate: translatorOf(req),
    statusName: (status) => {
      const choice = choices.find(({ value }) => value === status)
      return (choice && labelText(choice.label, req.i18n)) || status
    },
  }
}
