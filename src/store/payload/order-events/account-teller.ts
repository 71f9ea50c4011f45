import type { BasePayload, PayloadRequest } from 'payload'
import type { DocumentId } from '../../../commerce/order.js'
import type { NewSend } from '../../../delivery/outbox.js'
import { boundProfile } from '../../../marketing/bound-profile.js'
import { readEmail } from '../../../marketing/email.js'
import { readPhoneNumber } from '../../../marketing/phone-number.js'
import type { Profile } from '../../../marketing/profile.js'
import { throughHooks } from '../../../marketing/through-hooks.js'
import type { UserDocument } from '../../../options/options.js'
import type { ResolvedOptions } from '../../../options/resolve-options.js'
import { valueAt } from '../document-value.js'
import type { PayloadSettings } from '../settings.js'
import { toVisitor } from '../visitors.js'
import type { StoreEvents } from './event-store.js'

export interface AccountTellerParts {
  payload: BasePayload
  options: Pick<ResolvedOptions, 'marketing'>
  settings: PayloadSettings
  store: StoreEvents
  now: () => Date
}

export interface SavedAccount {
  id: DocumentId
  collection: string
  /** As it was before; undefined for a new one. */
  previous: Readonly<Record<string, unknown>> | undefined
}

/** Updates the profile of an account that was saved, when what is told of it has changed. */
export function createAccountTeller(parts: AccountTellerParts) {
  const { payload, options, settings, store, now } = parts
  const { marketing } = options
  const log = payload.logger

  return async (account: SavedAccount, req: PayloadRequest): Promise<void> => {
    const { id, collection, previous } = account
    const { accountUpdates } = await settings.marketing(req)
    if (!accountUpdates) return
    // As a login reads it: the hook's document has only what the caller may read and has selected.
    const document: unknown = await payload.findByID({
      collection,
      id,
      depth: 0,
      disableErrors: true,
      req,
    })
    if (!document || !hasRole(document, marketing.accountRoles)) return

    const send = await composed({ ...(document as UserDocument), collection }, previous)
    if (send !== undefined) await store([send], { req, about: { accountId: id } })
  }

  async function composed(
    user: UserDocument,
    previous: SavedAccount['previous'],
  ): Promise<NewSend | undefined> {
    const about = { accountId: user.id }
    try {
      const profile = await profileOf(user)
      if (profile === undefined) return undefined
      const before = previous && (await profileOf(likewise(user, previous)))
      if (JSON.stringify(before) === JSON.stringify(profile)) return undefined
      const identify = { kind: 'identify', profile } as const
      const message = await throughHooks(identify, { hooks: marketing, log, about })
      const savedAt = new Date(String(user.updatedAt)).getTime()
      const key = `account:${user.collection}:${user.id}:${savedAt}`
      return message && { message, key, acceptedAt: now() }
    } catch (error) {
      log.error({ err: error, ...about }, 'The profile of an account could not be told')
      return undefined
    }
  }

  async function profileOf(user: UserDocument): Promise<Profile | undefined> {
    const { profile } = await toVisitor(user, marketing.mapUser)
    const { email: emailText, phoneNumber: phoneText, ...rest } = profile
    const email = readEmail(emailText ?? '')
    if (email === undefined) return undefined
    const phoneNumber = readPhoneNumber(phoneText ?? '')
    return boundProfile(
      { email, ...(phoneNumber !== undefined && { phoneNumber }), ...rest },
      (field, reason) => log.warn({ field, reason, accountId: user.id }, 'Left out of a profile'),
    )
  }
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
