import { createLocalReq, docAccessOperation, type PayloadRequest } from 'payload'
import * as z from 'zod/mini'
import type { DocumentId } from '../../core/database/document-id.js'
import { inTransaction, runTogether } from '../../core/database/in-transaction.js'
import type { DeliveryParts } from '../../marketing/delivery/parts.js'
import { Problem } from '../../core/errors.js'
import type { FeedsParts } from '../../marketing/feeds/parts.js'
import { readEmail } from '../../core/people/email.js'
import type { MarketingSettingsParts } from '../../marketing/settings/parts.js'
import { personKeys, type PersonKeys } from '../../core/people/person-keys.js'
import { profileKey } from '../../core/people/profile-key.js'
import type { ShippingParts } from '../../shipping/parts.js'
import type { Shop } from '../../core/shop.js'
import type { WorkerParts } from '../../core/workers/parts.js'
import { provedEmail } from '../../carts/accounts/verified-email.js'
import type { Contributions } from '../../core/feature.js'
import type { ConsentParts } from '../../marketing/consent/parts.js'
import { createIsAdminAccount } from '../../core/payload/admin-access.js'
import type { ErasureOptions, OrderChoice } from './erasure-options.js'
import {
  countsOf,
  erasureDoors,
  erasureTable,
  type Erasure,
  type ErasureDoor,
  type FoundCounts,
} from './erasure-table.js'
import { createFindTraces, type Found } from './find-traces.js'
import { noteFormerCustomer } from './former-customers.js'
import { createRemoval, type Recorded } from './removal.js'
import { orderChoices } from './erasure-options.js'

interface Options {
  erasure: ErasureOptions
}

/** What the features below have built, of the products that are on. */
export type Needed = WorkerParts &
  Partial<ShippingParts & MarketingSettingsParts & DeliveryParts & ConsentParts & FeedsParts>

export interface ErasureChoice {
  orders: OrderChoice
  door: ErasureDoor
  askedBy?: string | undefined
}

export interface ErasurePreview extends FoundCounts {
  hasAccount: boolean
}

/** Under this key of the request's context, the choice of an admin reaches the hooks of the deleted account. */
const contextKey = 'storeconnectErasure'

const contextSchema = z.object({
  accountId: z.union([z.number(), z.string()]),
  email: z.string(),
  key: z.string(),
  orders: z.enum(orderChoices),
  door: z.enum(erasureDoors),
  askedBy: z.optional(z.string()),
})

interface Draft {
  erasure: Erasure
  found: Found
}

/** Where the setting is off, only the sends of a deleted account are deleted. */
export type Begun = Draft | { sendsOf: PersonKeys }

/** How long the changes of an order that were read before the erasure may still become sends. */
const lateSendsMs = 60_000

/** How long Klaviyo may take to carry out what it has accepted. The deletion must come after that. */
const settledMs = 5 * 60_000

export type Erasures = ReturnType<typeof createErasures>

/**
 * Erases people: what the shop keeps to sell to them goes at once, and Klaviyo is asked to delete their
 * profiles (`docs/decisions/0009-people.md`).
 *
 * @param wake Makes the delivery go on at once.
 * @throws {TypeError} when the database lacks the collections.
 */
export function createErasures(
  shop: Shop<Options>,
  parts: Needed & Pick<Contributions, 'forgetPerson'>,
  wake: () => void,
) {
  const { payload, database, customersSlug, options, isAdmin, effects } = shop
  const { shippingSettings, marketingSettings, outbox, events } = parts
  const findTraces = createFindTraces(shop, parts)
  const removal = createRemoval(shop, { outbox, forgetPerson: parts.forgetPerson })
  const records = erasureTable(shop)
  const { orders: byDefault = 'keep', keepFields = [], onErase } = options.erasure

  async function draftOf(
    keys: PersonKeys,
    { req, key = effects.uuid(), ...choice }: ErasureChoice & { req: PayloadRequest; key?: string },
  ): Promise<Draft> {
    const found = await findTraces(await database.within(req), keys)
    const settings = await marketingSettings?.get(req)
    // A shop that has no key never had Klaviyo, or has left it.
    const hasKey = settings !== undefined && settings.keyProblem !== 'missing'
    const jobs = hasKey ? found.traces.toDelete.length : 0
    const erasure: Erasure = {
      key,
      door: choice.door,
      orders: choice.orders,
      askedBy: choice.askedBy ?? null,
      state: 'asked',
      klaviyo: jobs > 0 ? 'waiting' : 'none',
      jobs,
      createdAt: effects.now(),
      person: found.traces,
    }
    return { erasure, found }
  }

  /** Klaviyo must not get the deletion before what it was sent earlier, or what is still on its way. */
  function deletionDueAt({ isSending, lastSentAt }: Found): Date {
    const at = effects.now().getTime()
    const settledAt = isSending ? at + settledMs : (lastSentAt?.getTime() ?? 0) + settledMs
    return new Date(Math.max(at + lateSendsMs, settledAt))
  }

  async function trackingPaths(): Promise<string[]> {
    const settings = await shippingSettings?.get()
    if (settings === undefined) return []
    const { matrixField, entryType, carrierField, serviceField, trackingNumberField } = settings
    const entry = [matrixField, ...(entryType === '' ? [] : [entryType])].join('.')
    return [carrierField, serviceField, trackingNumberField].map((name) => `${entry}.${name}`)
  }

  async function remove({ erasure: asked, found }: Draft, req: PayloadRequest): Promise<void> {
    const { traces } = found
    const { emails, phoneNumbers, customerId } = traces
    const person = { emails, phoneNumbers, ...(customerId !== undefined && { customerId }) }
    await onErase?.(person, { req, orders: asked.orders })
    // The store's own code may take long, and what is stored meanwhile goes too.
    const erasure = { ...asked, createdAt: effects.now(), person: traces }
    const around = { dueAt: deletionDueAt(found), trackingPaths: await trackingPaths() }
    await runTogether(database, req, (connection) => removal(connection, erasure, around))
    wake()
  }

  async function accountWith(email: string, req: PayloadRequest) {
    if (customersSlug === undefined || !payload.collections[customersSlug]?.config.auth) return
    const { docs } = await payload.find({
      collection: customersSlug,
      where: { email: { equals: email } },
      depth: 0,
      limit: 1,
      pagination: false,
      trash: true,
      req,
    })
    return docs[0] as { id: DocumentId } | undefined
  }

  const accountOf = (id: DocumentId, collection: string, req: PayloadRequest) =>
    payload.db.findOne({ collection, where: { id: { equals: id } }, req })

  /** Whether whoever deletes an account erases its person: a setting for Klaviyo. */
  const erasesDeleted = async (req: PayloadRequest): Promise<boolean> =>
    (await marketingSettings?.get(req))?.accountDeletions ?? false

  /** The keys of an account; undefined when there is none. `named` is an email for which an admin vouches. */
  async function keysOfAccount(
    id: DocumentId,
    req: PayloadRequest,
    named?: string,
  ): Promise<PersonKeys | undefined> {
    if (events !== undefined) return events.personKeysOf(id, req, named)
    if (customersSlug === undefined) return undefined
    const account = await accountOf(id, customersSlug, req)
    if (account === null) return undefined
    const proved = provedEmail(payload, customersSlug, account)
    return personKeys({ id, emails: [named, proved].flatMap((email) => email ?? []) }, {})
  }

  async function keysOf(
    email: string,
    account: { id: DocumentId } | undefined,
    req: PayloadRequest,
  ) {
    const own = account && (await keysOfAccount(account.id, req, email))
    return own ?? { profiles: [profileKey({ email })], externalIds: [], phoneNumbers: [] }
  }

  async function refuseAdmin(account: { id: DocumentId }): Promise<void> {
    const isAdminAccount = createIsAdminAccount(payload, isAdmin)
    if (
      customersSlug !== undefined &&
      (await isAdminAccount({ ...account, collection: customersSlug }))
    ) {
      throw new Problem('ERASURE_OF_ADMIN')
    }
  }

  return {
    byDefault,
    keepFields,
    /** Whether the shop has Klaviyo, which is then asked to delete the profile. */
    hasKlaviyo: outbox !== undefined,

    /**
     * Counts what the shop holds of the person with this email, and changes nothing.
     *
     * @throws {Problem} EMAIL_INVALID.
     */
    async preview(text: string): Promise<ErasurePreview> {
      const email = emailIn(text)
      const req = await createLocalReq({}, payload)
      const account = await accountWith(email, req)
      const keys = await keysOf(email, account, req)
      const { traces } = await findTraces(await database.within(req), keys)
      return { hasAccount: account !== undefined, ...countsOf(traces) }
    },

    /** What the deletion of an account would erase; undefined when nobody, or when the user may not delete it. */
    async previewDeletion(accountId: DocumentId, req: PayloadRequest) {
      if (!(await erasesDeleted(req))) return undefined
      const collection = payload.collections[customersSlug ?? '']
      if (!collection || !(await docAccessOperation({ collection, id: accountId, req })).delete)
        return undefined
      const keys = await keysOfAccount(accountId, req)
      if (keys === undefined) return undefined
      const choice = { orders: byDefault, door: 'account' as const }
      const { erasure, found } = await draftOf(keys, { ...choice, req })
      return {
        found: countsOf(found.traces),
        orders: byDefault,
        keepFields,
        /** The emails whose profiles Klaviyo would be asked to delete. */
        emailsAtKlaviyo: erasure.jobs > 0 ? found.traces.emails : [],
      }
    },

    /**
     * Erases the person with this email, and deletes the account if there is one.
     *
     * @throws {Problem} EMAIL_INVALID, ERASURE_OF_ADMIN.
     */
    async erase(text: string, choice: ErasureChoice) {
      const email = emailIn(text)
      const key = effects.uuid()
      const req = await createLocalReq({}, payload)
      await inTransaction(database, req, async (own) => {
        const account = await accountWith(email, own)
        if (account === undefined || customersSlug === undefined) {
          const keys = await keysOf(email, undefined, own)
          await remove(await draftOf(keys, { ...choice, key, req: own }), own)
          return
        }
        await refuseAdmin(account)
        await payload.delete({
          collection: customersSlug,
          id: account.id,
          trash: true,
          context: { [contextKey]: { ...choice, key, email, accountId: account.id } },
          req: own,
        })
      })
      const [erasure] = await records.read(records.isOf(key))
      if (!erasure?.person) throw new Error('The erasure was not recorded.')
      wake()
      return { key, klaviyo: erasure.klaviyo, ...countsOf(erasure.person) }
    },

    /**
     * Call it before an account is deleted: nothing names the person afterwards. Undefined when there is nothing to
     * erase. When the account goes and `finish` does not run, the record stays, and the worker finishes it.
     */
    async begin(accountId: DocumentId, req: PayloadRequest): Promise<Begun | undefined> {
      const context = contextSchema.safeParse(req.context[contextKey]).data
      // The store's own hooks may delete further accounts with the same request.
      const asked = context?.accountId === accountId ? context : undefined
      const keys = asked
        ? await keysOf(asked.email, { id: accountId }, req)
        : await keysOfAccount(accountId, req)
      if (keys === undefined) return undefined
      if (asked === undefined && !(await erasesDeleted(req))) {
        await noteFormerCustomer(shop, accountId, req)
        return { sendsOf: keys }
      }
      const choice = asked ?? { orders: byDefault, door: 'account' as const }
      const draft = await draftOf(keys, { ...choice, req })
      await records.storing(await database.within(req), draft.erasure)
      return draft
    },

    /** Removes what `begin` has found. Call it after the account is deleted, in the same request. */
    async finish(begun: Begun, req: PayloadRequest): Promise<void> {
      if ('found' in begun) await remove(begun, req)
      else await outbox?.forget(await database.within(req), begun.sendsOf)
    },

    /** Finishes an erasure whose process has ended. False when the account is still there. */
    async resume(erasure: Recorded): Promise<boolean> {
      const req = await createLocalReq({}, payload)
      const { customerId } = erasure.person
      if (customerId !== undefined && customersSlug !== undefined) {
        if ((await accountOf(customerId, customersSlug, req)) !== null) return false
      }
      const sent = await outbox?.traces(database, erasure.person)
      const found = {
        traces: erasure.person,
        isSending: sent?.isSending ?? false,
        lastSentAt: sent?.lastSentAt,
      }
      await inTransaction(database, req, (own) => remove({ erasure, found }, own))
      return true
    },
  }
}

function emailIn(text: string): string {
  const email = readEmail(text)
  if (email === undefined) throw new Problem('EMAIL_INVALID')
  return email.toLowerCase()
}
