import type { PayloadRequest } from 'payload'
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
import { column } from '../store/payload/database.js'
import { valueAt } from '../store/payload/document-value.js'
import { toldProfileField } from '../store/payload/order-fields.js'
import { isVerified } from '../store/payload/verified-account.js'
import { accountProfile } from '../store/payload/visitors.js'
import { changedRows, noteStates } from './changed-rows.js'
import type { Source } from './feed.js'
import { guarded, type ShopParts } from './shop-parts.js'

/** The note of an account of which nothing was sent yet, and of one that an import has written. */
export const pendingNote = 'pending'
export const silentNote = 'silent'

/**
 * Accounts whose profile has changed. What was sent of one is noted with it: Payload runs no hook when
 * an account is verified, and most saves change nothing that is sent.
 */
export function createAccounts(parts: ShopParts, customersSlug: string) {
  const { payload, database, options, settings, now } = parts
  const { mapUser, accountRoles } = options.marketing
  const log = payload.logger
  const table = database.table(customersSlug)

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

  /** What is sent of an account; undefined when nothing is. */
  async function profileOf(noted: UserDocument): Promise<Profile | undefined> {
    const account = { ...noted }
    delete account[toldProfileField]
    if (!isVerified(payload, customersSlug, account) || !hasRole(account, accountRoles)) {
      return undefined
    }
    const leaveOut: LeaveOut = (field, reason) =>
      log.warn({ field, reason, accountId: account.id }, 'Left out of a profile')
    const profile = await accountProfile(account, mapUser, leaveOut)
    const { email: emailText = '', phoneNumber: phoneText = '', ...rest } = profile
    const email = readEmail(emailText)
    if (email === undefined) return undefined
    const phoneNumber = readPhoneNumber(phoneText)
    return boundProfile({ email, ...(phoneNumber && { phoneNumber }), ...rest }, leaveOut)
  }

  async function sendOf(account: UserDocument, profile: Profile): Promise<NewSend | undefined> {
    const identify = { kind: 'identify', profile } as const
    const about = { accountId: account.id }
    const message = await throughHooks(identify, { hooks: options.marketing, log, about })
    const key = `account:${customersSlug}:${account.id}:${savedAt(account).getTime()}`
    return message && { message, key, acceptedAt: now() }
  }

  const source: Source = {
    name: 'accounts',
    // Without transactions Payload writes an account row by row, each of which may wait for others.
    quietMs: database.isSqlite ? 15_000 : 0,
    // Those that were there before are not sent.
    firstBackMs: 60_000,
    changedBehind: (from, range) =>
      changedRows(database, { table, at: column(table, 'updatedAt') }, { from, ...range }),
    async report(ids, { until }) {
      const { accountUpdates } = await settings.marketing()
      const sends: NewSend[] = []
      const states = new Map<DocumentId, string>()
      const reportOf = async (account: UserDocument) => {
        const profile = await profileOf(account)
        const note = valueAt(account, toldProfileField)
        if (profile === undefined || hashOf(profile) === note) return true
        const isSent = accountUpdates && note !== silentNote
        const send = isSent ? await sendOf(account, profile) : undefined
        if (send !== undefined) sends.push(send)
        states.set(account.id, hashOf(profile))
        return true
      }
      let hasFailed = false
      for (const account of await read(ids)) {
        // Who is saved just now is reported later.
        if (savedAt(account) > until) continue
        const isReported = await guarded(parts, () => reportOf(account), {
          about: { accountId: account.id },
          sentence: 'The profile of an account could not be reported',
        })
        if (!isReported) hasFailed = true
      }
      const note = () => noteStates(database, { table, field: toldProfileField }, states)
      return { sends, note, hasFailed }
    },
  }

  return {
    source,

    /** A digest of what is sent of an account as it is stored; undefined when nothing is. */
    async stateOf(id: DocumentId, req: PayloadRequest): Promise<string | undefined> {
      const [account] = await read([id], { req })
      const profile = account && (await profileOf(account))
      return profile && hashOf(profile)
    },

    /** What the sends about an account's person are known by; undefined for one that is not there. */
    async personOf(id: DocumentId, req: PayloadRequest): Promise<PersonKeys | undefined> {
      const [account] = await read([id], { req, trash: true })
      if (account === undefined) return undefined
      const sentence =
        'mapUser failed: sends are forgotten by the email and the id of an account alone'
      const profile = await accountProfile(account, mapUser, () => undefined).catch(
        (error: unknown): Profile => {
          log.error({ err: error, accountId: id }, sentence)
          return {}
        },
      )
      return personKeys({ id, email: account.email }, profile)
    },
  }
}

const savedAt = ({ updatedAt }: UserDocument): Date => new Date(String(updatedAt))

function hasRole(user: unknown, roles: readonly string[] | undefined): boolean {
  if (roles === undefined) return true
  const own = [valueAt(user, 'roles'), valueAt(user, 'role')].flat()
  return own.some((role) => typeof role === 'string' && roles.includes(role))
}
