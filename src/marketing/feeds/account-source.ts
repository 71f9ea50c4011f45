import type { PayloadRequest } from 'payload'
import type { DocumentId } from '../../core/database/document-id.js'
import type { NewSend } from '../delivery/send.js'
import { boundProfile, type Profile } from '../klaviyo/profile.js'
import { readEmail } from '../../core/people/email.js'
import type { LeaveOut } from '../klaviyo/left-out.js'
import { personKeys, type PersonKeys } from '../../core/people/person-keys.js'
import { readPhoneNumber } from '../../core/people/phone-number.js'
import { hashOf } from '../../core/signing.js'
import { throughHooks } from '../klaviyo/through-hooks.js'
import type { UserDocument } from '../../core/http/visit.js'
import { accountProfile, identifiedByEmail } from '../accounts/account-profile.js'
import { isEmailChanged, provedEmail } from '../../carts/accounts/verified-email.js'
import { column } from '../../core/database/database.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import type { OrderParts } from '../../shop/orders/parts.js'
import { valueAt, isVerified } from '../../core/payload/document-value.js'
import { changedRows, type Source } from './feed.js'
import type { FeedShop } from './event-contexts.js'
import { importNote, sentProfileField } from './feed-notes.js'
import { nothing, reportEach, type Made } from './report-each.js'

/**
 * Each account stores a digest of the profile that was sent last: Payload runs no hook when an account is verified, and
 * most saves do not change the profile.
 */
export function createAccounts(
  shop: FeedShop,
  { isAdminAccount, marketingSettings }: OrderParts & MarketingSettingsParts,
  customersSlug: string,
) {
  const { payload, options, database, log, effects } = shop
  const { marketing: hooks } = options
  const { mapUser, accountRoles } = hooks
  const table = database.table(customersSlug)

  /** In the form that a login returns, which `mapUser` expects. */
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

  const isSent = async (account: UserDocument): Promise<boolean> =>
    accountRoles === undefined ? !(await isAdminAccount(account)) : hasRole(account, accountRoles)

  /** Undefined for an account that must not be sent. */
  async function profileOf(document: UserDocument): Promise<Profile | undefined> {
    const account = { ...document }
    delete account[sentProfileField]
    if (!isVerified(payload, customersSlug, account) || !(await isSent(account))) return undefined
    const leaveOut: LeaveOut = (field, reason) =>
      log.warn({ field, reason, accountId: account.id }, 'Left out of a profile')
    const profile = await accountProfile(account, mapUser, leaveOut)
    const own = isEmailChanged(payload, customersSlug, account)
      ? identifiedByEmail(profile)
      : profile
    const { email: emailText = '', phoneNumber: phoneText = '', ...rest } = own
    const email = readEmail(emailText)
    if (email === undefined) return undefined
    const phoneNumber = readPhoneNumber(phoneText)
    return boundProfile({ email, ...(phoneNumber && { phoneNumber }), ...rest }, leaveOut)
  }

  /** The digest to note and, unless an import or the settings forbid it, the send. */
  async function changeOf(account: UserDocument, accountUpdates: boolean): Promise<Made> {
    const profile = await profileOf(account)
    const note = valueAt(account, sentProfileField)
    if (profile === undefined || hashOf(profile) === note) return nothing
    const mayBeSent = accountUpdates && note !== importNote
    const sends = mayBeSent ? await sendsOf(account, profile) : []
    return { sends, account: account.id, state: hashOf(profile) }
  }

  async function sendsOf(account: UserDocument, profile: Profile): Promise<NewSend[]> {
    const identify = { kind: 'identify', profile } as const
    const about = { accountId: account.id }
    const message = await throughHooks(identify, { hooks, log, about })
    const key = `account:${customersSlug}:${account.id}:${savedAt(account).getTime()}`
    return message ? [{ message, key, acceptedAt: effects.now() }] : []
  }

  const source: Source = {
    name: 'accounts',
    // Without transactions Payload writes an account row by row, and each row may wait for other writes.
    quietMs: database.isSqlite ? 15_000 : 0,
    // Accounts that are older than the installation are not sent.
    firstBackMs: 60_000,
    changedAfter: (from, range) =>
      changedRows(database, { table, at: column(table, 'updatedAt') }, { from, ...range }),
    async report(ids, { isUnchanged }) {
      const { accountUpdates } = await marketingSettings.get()
      const accounts = (await read(ids)).filter((each) => isUnchanged(each.id, savedAt(each)))
      return reportEach(shop, accounts, {
        make: (account) => changeOf(account, accountUpdates),
        about: ({ id }) => ({ accountId: id }),
        sentence: 'The profile of an account could not be reported',
        noteIn: { slug: customersSlug, field: sentProfileField },
      })
    },
  }

  return {
    source,

    /** Undefined when the stored account gives no profile. */
    async stateOf(id: DocumentId, req: PayloadRequest): Promise<string | undefined> {
      const [account] = await read([id], { req })
      const profile = account && (await profileOf(account))
      return profile && hashOf(profile)
    },

    /** Undefined when there is no such account. `named` is an email for which an admin vouches. */
    async personKeysOf(
      id: DocumentId,
      req: PayloadRequest,
      named?: string,
    ): Promise<PersonKeys | undefined> {
      const [account] = await read([id], { req, trash: true })
      if (account === undefined) return undefined
      const emails = [named, provedEmail(payload, customersSlug, account)].flatMap(
        (email) => email ?? [],
      )
      // Nobody has verified this account, so its owner may have typed anybody's data.
      if (emails.length === 0 && !isVerified(payload, customersSlug, account))
        return personKeys({ id, emails }, {})
      const sentence =
        'mapUser failed: sends are forgotten by the email and the id of an account alone'
      const profile = await accountProfile(account, mapUser, () => undefined).catch(
        (error: unknown): Profile => {
          log.error({ err: error, accountId: id }, sentence)
          return {}
        },
      )
      return personKeys({ id, emails }, profile)
    },
  }
}

const savedAt = ({ updatedAt }: UserDocument): Date => new Date(String(updatedAt))

function hasRole(user: unknown, roles: readonly string[]): boolean {
  const own = [valueAt(user, 'roles'), valueAt(user, 'role')].flat()
  return own.some((role) => typeof role === 'string' && roles.includes(role))
}
