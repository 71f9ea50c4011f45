import { sql } from 'drizzle-orm'
import { createLocalReq, type BasePayload, type PayloadRequest } from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { NewSend } from '../delivery/outbox.js'
import { boundProfile } from '../marketing/bound-profile.js'
import { readEmail } from '../marketing/email.js'
import type { LeaveOut } from '../marketing/left-out.js'
import { personKeys, type PersonKeys } from '../marketing/person-keys.js'
import { readPhoneNumber } from '../marketing/phone-number.js'
import type { Profile } from '../marketing/profile.js'
import { hashOf } from '../marketing/send-key.js'
import { throughHooks } from '../marketing/through-hooks.js'
import type { UserDocument } from '../options/options.js'
import type { ResolvedOptions } from '../options/resolve-options.js'
import type { Position } from '../store/past-changes.js'
import { bareName, column, type Connection, type Database } from '../store/payload/database.js'
import { valueAt } from '../store/payload/document-value.js'
import { inTransaction } from '../store/payload/in-transaction.js'
import { toldProfileField } from '../store/payload/order-fields.js'
import type { PayloadOutbox } from '../store/payload/outbox/outbox.js'
import type { PayloadSettings } from '../store/payload/settings.js'
import { asksForVerification, isVerified } from '../store/payload/verified-account.js'
import { accountProfile } from '../store/payload/visitors.js'
import type { StoreEvents } from '../store/payload/order-events/event-store.js'
import type { FailureGuard } from '../store/payload/order-events/failure-guard.js'
import { nextPosition, rowsBehind } from './position.js'
import type { Tellings } from '../store/payload/order-events/tellings.js'

export interface AccountTellerParts {
  payload: BasePayload
  database: Database
  options: Pick<ResolvedOptions, 'marketing'>
  settings: PayloadSettings
  customersSlug: string
  outbox: Pick<PayloadOutbox, 'storeTogether'>
  store: StoreEvents
  tellings: Tellings
  guarded: FailureGuard
  now: () => Date
}

export interface SavedAccount {
  id: DocumentId
  /** As it was before; undefined for a new one, and where that is not known. */
  previous: Readonly<Record<string, unknown>> | undefined
  /** From an import or a seed: nothing is told of it. */
  isSilent: boolean
}

const sweptAtOnce = 100

/**
 * Updates the profile of an account that was saved, when what is told of it has changed. Where that
 * is not stored with the change, the account keeps what was told of it, for the sweep: on SQLite, and
 * where accounts are verified, as Payload runs no hook when they are.
 */
export function createAccountTeller(parts: AccountTellerParts) {
  const { payload, database, options, settings, customersSlug, outbox, now } = parts
  const { store, tellings, guarded } = parts
  const { marketing } = options
  const log = payload.logger
  const customers = database.table(customersSlug)
  const id = column(customers, 'id')
  const isToVerify = asksForVerification(payload, customersSlug)
  const keepsNotes = database.isSqlite || isToVerify

  async function tell(account: SavedAccount, req?: PayloadRequest): Promise<void> {
    const { accountUpdates } = await settings.marketing(req)
    if (!accountUpdates) return
    const change = await guarded((own) => changeOf(account, own), {
      req,
      about: () => ({ accountId: account.id }),
      sentence: 'The profile of an account could not be told',
      otherwise: undefined,
    })
    if (change !== undefined) await storeChange(account.id, change, req)
  }

  /** Undefined when there is nothing to tell that was not told. */
  async function changeOf(
    { id: accountId, previous, isSilent }: SavedAccount,
    req: PayloadRequest | undefined,
  ): Promise<Change | undefined> {
    // As a login reads it: the hook's document has only what the caller may read and has selected.
    const document: unknown = await payload.findByID({
      collection: customersSlug,
      id: accountId,
      depth: 0,
      disableErrors: true,
      ...(req && { req }),
    })
    if (!document || !isVerified(payload, customersSlug, document)) return undefined
    if (!hasRole(document, marketing.accountRoles)) return undefined
    const { [toldProfileField]: told, ...fields } = document as UserDocument
    const user: UserDocument = { ...fields, id: accountId, collection: customersSlug }
    const profile = await profileOf(user)
    if (profile === undefined) return undefined
    const state = hashOf(profile)
    if (state === told) return undefined
    const wasTold = previous !== undefined && isVerified(payload, customersSlug, previous)
    const before = told ?? (wasTold ? await stateOf(likewise(user, previous)) : undefined)
    // Noted all the same, or the sweep would tell it as what a crash left.
    if (isSilent || state === before) return { state, sends: [] }
    const identify = { kind: 'identify', profile } as const
    const message = await throughHooks(identify, { hooks: marketing, log, about: { accountId } })
    const savedAt = new Date(String(user.updatedAt)).getTime()
    const key = `account:${user.collection}:${user.id}:${savedAt}`
    return { state, sends: message ? [{ message, key, acceptedAt: now() }] : [] }
  }

  async function stateOf(user: UserDocument): Promise<string | undefined> {
    const profile = await profileOf(user)
    return profile && hashOf(profile)
  }

  async function profileOf(user: UserDocument): Promise<Profile | undefined> {
    const leaveOut: LeaveOut = (field, reason) =>
      log.warn({ field, reason, accountId: user.id }, 'Left out of a profile')
    const profile = await accountProfile(user, marketing.mapUser, leaveOut)
    const { email: emailText, phoneNumber: phoneText, ...rest } = profile
    const email = readEmail(emailText ?? '')
    if (email === undefined) return undefined
    const phoneNumber = readPhoneNumber(phoneText ?? '')
    return boundProfile(
      { email, ...(phoneNumber !== undefined && { phoneNumber }), ...rest },
      leaveOut,
    )
  }

  /** Send and note together: what was told is noted, and what is noted was told. */
  async function storeChange(
    accountId: DocumentId,
    { state, sends }: Change,
    req?: PayloadRequest,
  ): Promise<void> {
    if (!keepsNotes) return store(sends, req)
    const noteOn = (connection: Connection) =>
      connection.run(sql`update ${customers}
        set ${bareName(column(customers, toldProfileField))} = ${state} where ${id} = ${accountId}`)
    const storeWithin = async (within: PayloadRequest) => {
      await store(sends, within)
      await noteOn(await database.within(within))
    }
    if (req !== undefined) return storeWithin(req)
    if (database.isSqlite) return outbox.storeTogether(sends, [noteOn(database)])
    await inTransaction(database, await createLocalReq({}, payload), storeWithin)
  }

  return {
    async saved(account: SavedAccount, req: PayloadRequest): Promise<void> {
      if (account.isSilent && !keepsNotes) return
      const about = { accountId: account.id }
      await tellings.take((within) => tell(account, within), { req, about })
    },

    /** What the sends about an account's person are known by. */
    async personOf(accountId: DocumentId, req: PayloadRequest): Promise<PersonKeys | undefined> {
      const document: unknown = await payload.findByID({
        collection: customersSlug,
        id: accountId,
        depth: 0,
        disableErrors: true,
        trash: true,
        req,
      })
      if (!document) return undefined
      const user: UserDocument = { ...(document as UserDocument), collection: customersSlug }
      const profile = await guarded(
        () => accountProfile(user, marketing.mapUser, () => undefined),
        {
          req,
          about: () => ({ accountId }),
          sentence:
            'mapUser failed: sends are forgotten by the email and the id of an account alone',
          otherwise: {},
        },
      )
      return personKeys({ id: accountId, email: user.email }, profile)
    },

    /** Whether accounts are told once they are verified. */
    isToVerify,

    /** Tells of a page of saved accounts what was not told yet, where that is noted. */
    async sweep(from: Position, until: Date): Promise<Position | undefined> {
      if (!keepsNotes) return undefined
      const at = column(customers, 'updatedAt')
      const { condition, order } = rowsBehind({ at, id }, { from, until, limit: sweptAtOnce })
      const isReady = isToVerify ? sql`${column(customers, '_verified')} is true` : sql`true`
      const rows = await database.rows(sql`select ${id} as "id", ${at} as "at" from ${customers}
        where ${condition} and ${isReady} ${order}`)
      for (const row of rows) {
        await tell({ id: row.id as DocumentId, previous: undefined, isSilent: false })
      }
      return nextPosition(rows, sweptAtOnce)
    },
  }
}

/** What an account has to tell, and a digest of it to be kept. */
interface Change {
  state: string
  sends: NewSend[]
}

/** What the account had before, of the very fields that it has now: nothing that is hidden. */
function likewise(user: UserDocument, previous: Readonly<Record<string, unknown>>): UserDocument {
  const names = Object.keys(user)
  const values = Object.fromEntries(names.map((name) => [name, previous[name]]))
  return { ...values, id: user.id, collection: user.collection }
}

function hasRole(user: unknown, roles: readonly string[] | undefined): boolean {
  if (roles === undefined) return true
  const own = [valueAt(user, 'roles'), valueAt(user, 'role')].flat()
  return own.some((role) => typeof role === 'string' && roles.includes(role))
}
