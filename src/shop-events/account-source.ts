import { sql } from 'drizzle-orm'
import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId } from '../commerce/order.js'
import type { NewSend } from '../delivery/send.js'
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
import { column, type Database } from '../store/payload/database.js'
import { valueAt } from '../store/payload/document-value.js'
import { toldProfileField } from '../store/payload/order-fields.js'
import { isVerified } from '../store/payload/verified-account.js'
import { accountProfile } from '../store/payload/visitors.js'
import type { SettingsSource } from '../store/settings-source.js'
import { changedRows } from './changed-rows.js'
import type { Source } from './feed.js'
import type { Guard } from './guard.js'

/** The note of an account of which nothing was told yet, and of one that an import has written. */
export const pendingNote = 'pending'
export const silentNote = 'silent'

export interface AccountSourceParts {
  payload: BasePayload
  database: Database
  options: Pick<ResolvedOptions, 'marketing'>
  settings: SettingsSource
  customersSlug: string
  guard: Guard
  now: () => Date
}

export interface Accounts {
  source: Source
  /** A digest of what is told of an account as it is stored; undefined when nothing is. */
  stateOf(id: DocumentId, req: PayloadRequest): Promise<string | undefined>
  /** What the sends about an account's person are known by. */
  personOf(id: DocumentId, req: PayloadRequest): Promise<PersonKeys | undefined>
}

/**
 * Accounts whose profile has changed. What was told of one is noted with it: Payload runs no hook when
 * an account is verified, and most saves change nothing that is told.
 */
export function createAccounts(parts: AccountSourceParts): Accounts {
  const { payload, database, options, settings, customersSlug, guard, now } = parts
  const { marketing } = options
  const log = payload.logger
  const table = database.table(customersSlug)
  const id = column(table, 'id')
  const rows = { table, at: column(table, 'updatedAt') }

  /** As a login reads them. */
  async function read(
    ids: readonly DocumentId[],
    given: { req?: PayloadRequest; trash?: boolean } = {},
  ): Promise<UserDocument[]> {
    const { docs } = await payload.find({
      collection: customersSlug,
      where: { id: { in: [...ids] } },
      depth: 0,
      pagination: false,
      ...given,
    })
    return docs.map((account) => ({
      ...(account as unknown as UserDocument),
      collection: customersSlug,
    }))
  }

  /** What is told of an account; undefined when nothing is. */
  async function profileOf(noted: UserDocument): Promise<Profile | undefined> {
    const account = { ...noted }
    delete account[toldProfileField]
    if (!isVerified(payload, customersSlug, account)) return undefined
    if (!hasRole(account, marketing.accountRoles)) return undefined
    const leaveOut: LeaveOut = (field, reason) =>
      log.warn({ field, reason, accountId: account.id }, 'Left out of a profile')
    const profile = await accountProfile(account, marketing.mapUser, leaveOut)
    const { email: emailText, phoneNumber: phoneText, ...rest } = profile
    const email = readEmail(emailText ?? '')
    if (email === undefined) return undefined
    const phoneNumber = readPhoneNumber(phoneText ?? '')
    return boundProfile(
      { email, ...(phoneNumber !== undefined && { phoneNumber }), ...rest },
      leaveOut,
    )
  }

  async function sendOf(account: UserDocument, profile: Profile): Promise<NewSend | undefined> {
    const about = { accountId: account.id }
    const identify = { kind: 'identify', profile } as const
    const message = await throughHooks(identify, { hooks: marketing, log, about })
    const key = `account:${customersSlug}:${account.id}:${savedAt(account).getTime()}`
    return message && { message, key, acceptedAt: now() }
  }

  const guarded = <Result>(accountId: DocumentId, work: () => Promise<Result>) =>
    guard(work, {
      about: () => ({ accountId }),
      sentence: 'The profile of an account could not be told',
    })

  return {
    source: {
      name: 'accounts',
      // Without transactions Payload writes an account row by row, each of which may wait for others.
      quietMs: database.isSqlite ? 15_000 : 0,
      // Those that were there before are not told.
      firstBackMs: 60_000,
      changedBehind: (from, range) => changedRows(database, rows, { from, ...range }),
      async report(ids, { until }) {
        const { accountUpdates } = await settings.marketing()
        const sends: NewSend[] = []
        const told: { accountId: DocumentId; state: string }[] = []
        const accounts = await read(ids)
        // Who is saved just now is told of later.
        for (const account of accounts.filter((each) => savedAt(each) <= until)) {
          const note = valueAt(account, toldProfileField)
          await guarded(account.id, async () => {
            const profile = await profileOf(account)
            const state = profile && hashOf(profile)
            if (profile === undefined || state === undefined || state === note) return
            const isTold = accountUpdates && note !== silentNote
            const send = isTold ? await sendOf(account, profile) : undefined
            if (send !== undefined) sends.push(send)
            told.push({ accountId: account.id, state })
          })
        }
        return {
          sends,
          async note() {
            for (const { accountId, state } of told) {
              await database.update(table, { [toldProfileField]: state }, sql`${id} = ${accountId}`)
            }
          },
        }
      },
    },

    async stateOf(accountId, req) {
      const [account] = await read([accountId], { req })
      const profile = account && (await profileOf(account))
      return profile && hashOf(profile)
    },

    async personOf(accountId, req) {
      const [account] = await read([accountId], { req, trash: true })
      if (account === undefined) return undefined
      const profile = await accountProfile(account, marketing.mapUser, () => undefined).catch(
        (error: unknown) => {
          log.error(
            { err: error, accountId },
            'mapUser failed: sends are forgotten by the email and the id of an account alone',
          )
          return {}
        },
      )
      return personKeys({ id: accountId, email: account.email }, profile)
    },
  }
}

const savedAt = ({ updatedAt }: UserDocument): Date => new Date(String(updatedAt))

function hasRole(user: unknown, roles: readonly string[] | undefined): boolean {
  if (roles === undefined) return true
  const own = [valueAt(user, 'roles'), valueAt(user, 'role')].flat()
  return own.some((role) => typeof role === 'string' && roles.includes(role))
}
