import { sql, type SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  bareName,
  column,
  selected,
  type Connection,
  type Row,
  type Statement,
} from '../../core/database/database.js'
import { parsedJson } from '../../core/database/json-rows.js'
import type { Shop } from '../../core/shop.js'
import { orderChoices } from './erasure-options.js'

export const erasuresSlug = 'marketing-erasures'

/**
 * `asked`: the account is about to be deleted. `erased`: the shop has erased the person. `waiting`: Klaviyo
 * has yet to delete the profile. `done`: nothing is left to do, and nothing names the person any more.
 */
const erasureStates = ['asked', 'erased', 'waiting', 'done'] as const

/** What Klaviyo does about it. `none`: the shop has no key, so that nothing was asked. */
const klaviyoStates = ['none', 'waiting', 'failed', 'accepted'] as const

/** What an erasure came by: a deleted account, an admin or the command. */
export const erasureDoors = ['account', 'admin', 'command'] as const

export type ErasureDoor = (typeof erasureDoors)[number]

const id = z.union([z.number(), z.string()])

/** What the shop holds of a person: who it is, and the ids of the documents. */
const tracesSchema = z.object({
  profiles: z.array(z.string()),
  externalIds: z.array(z.string()),
  phoneNumbers: z.array(z.string()),
  /** The keys of the profiles that Klaviyo is to delete. */
  toDelete: z.array(z.string()),
  /** In lower case. */
  emails: z.array(z.string()),
  customerId: z.optional(id),
  orders: z.array(id),
  carts: z.array(id),
  /** Carts of other accounts in which the person may have typed. A record of an older version has none. */
  othersCarts: z._default(z.array(id), []),
  payments: z.array(id),
  addresses: z.array(id),
  /** The proofs of consent that outlive their orders. A record of an older version has none. */
  proofs: z._default(z.array(id), []),
  sends: z.number(),
})

export type PersonTraces = z.infer<typeof tracesSchema>

/** An erasure, from the moment it is asked for. */
const erasureSchema = z.object({
  key: z.string(),
  door: z.enum(erasureDoors),
  /** The email of the admin who asked; null when it was none. */
  askedBy: z.nullable(z.string()),
  orders: z.enum(orderChoices),
  state: z.enum(erasureStates),
  klaviyo: z.enum(klaviyoStates),
  /** How many deletions Klaviyo gets: one for each profile. */
  jobs: z.coerce.number(),
  /** When the shop erased the person, else when it was asked. */
  createdAt: z.coerce.date(),
  /** Null when it is done. */
  person: z.nullable(z.pipe(z.transform(parsedJson), tracesSchema)),
})

export type Erasure = z.infer<typeof erasureSchema>

export const deletionKeys = ({ key, jobs }: Pick<Erasure, 'key' | 'jobs'>): string[] =>
  Array.from({ length: jobs }, (_, index) => `erase:${key}:${index}`)

/** @throws {TypeError} when the database lacks the collection. */
export function erasureTable({ database, effects }: Shop) {
  const table = database.table(erasuresSlug)
  const at = (field: string) => column(table, field)
  const columns = Object.fromEntries(
    Object.keys(erasureSchema.shape).map((name) => [name, at(name)]),
  )
  const isOf = (key: string) => sql`${at('key')} = ${key}`

  return {
    table,
    at,

    async read(condition: SQL): Promise<Erasure[]> {
      const rows = await database.rows(
        sql`select ${selected(columns)} from ${table} where ${condition} order by ${at('createdAt')}`,
      )
      return rows.map((row) => erasureSchema.parse(row))
    },

    isOf,

    /** The statement that stores a record, unless it is there already. */
    storing: (connection: Connection, erasure: Erasure): Statement => {
      const { createdAt, person } = erasure
      const moment = createdAt.toISOString()
      return connection.insertIgnoring(table, {
        ...erasure,
        ...(person && countsOf(person)),
        person,
        createdAt: moment,
        updatedAt: moment,
      })
    },

    changing: (connection: Connection, key: string, values: Row): Statement =>
      connection.update(table, { ...values, updatedAt: effects.now().toISOString() }, isOf(key)),

    delete: (key: string): Statement => database.delete(table, isOf(key)),

    /** The statement that forgets who asked for erasures, when it was one of these people. */
    forgettingAskers: (connection: Connection, emails: readonly string[]): Statement =>
      connection.run(sql`update ${table} set ${bareName(at('askedBy'))} = null
        where ${database.isOneOf(sql`lower(${at('askedBy')})`, emails)}`),
  }
}

export const countsOf = (found: PersonTraces) => ({
  orderCount: found.orders.length,
  cartCount: found.carts.length + found.othersCarts.length,
  paymentCount: found.payments.length,
  addressCount: found.addresses.length,
  sendCount: found.sends,
})

export type FoundCounts = ReturnType<typeof countsOf>
