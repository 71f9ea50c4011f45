import { executeAuthStrategies, type BasePayload, type PayloadRequest } from 'payload'
import { createLocalReq } from 'payload'
import { readAccountProfile } from '../../marketing/account-profile.js'
import type { LeaveOut, LeftOut } from '../../marketing/left-out.js'
import type { Profile } from '../../marketing/profile.js'
import { readPhoneNumber } from '../../marketing/phone-number.js'
import type { MarketingOptions, UserDocument } from '../../options/options.js'
import { cookieValue } from '../../http/cookie-value.js'
import type { Addressed } from '../../http/public-origin.js'
import { createOwnOrigins, isFromOwnSite } from '../../http/same-site.js'
import { once } from '../../once.js'
import type { Log } from '../log.js'
import type { Visitor } from '../visitor.js'
import { isVerified } from './verified-account.js'

/** Finds out who is logged in. */
export type Visitors = (request: Addressed) => Promise<Visitor | undefined>

type MapUser = MarketingOptions['mapUser']

/** By Payload's own authentication; a visitor without a login costs no query. */
export function createVisitors(
  payload: BasePayload,
  { mapUser }: { mapUser?: MapUser } = {},
): Visitors {
  return async (request) => {
    if (!mayBeLoggedIn(payload, request.headers)) return undefined
    const { user } = await authenticate(payload, request)
    if (!user) return undefined
    const visitor = toVisitor(user, { mapUser, log: payload.logger })
    // A strategy of the store's own may let in who has not shown that the address is theirs.
    const isTold = isVerified(payload, user.collection, user)
    return isTold ? visitor : { ...visitor, profile: () => Promise.resolve({}) }
  }
}

/** The account that a request is made by, and a request to Payload in its name. */
export async function authenticate(
  payload: BasePayload,
  request: Addressed,
): Promise<{ user: PayloadRequest['user']; req: PayloadRequest }> {
  const headers = withoutOwnOrigin(payload, request) ?? withoutLinkingSite(request.headers)
  const req = await createLocalReq({ req: { headers } }, payload)
  const { user } = await executeAuthStrategies({ headers, payload, req })
  req.user = user
  return { user, req }
}

/**
 * Payload takes no login's cookie from a post whose `Origin` its config does not name, and a store's
 * sites are on more hosts than that. What comes from a page of the request's own origin says so.
 */
function withoutOwnOrigin({ config }: BasePayload, request: Addressed): Headers | undefined {
  const isOwnOrigin = createOwnOrigins([config.serverURL, ...config.csrf])
  if (!request.headers.has('origin') || !isFromOwnSite(request, isOwnOrigin)) return undefined
  const headers = new Headers(request.headers)
  headers.delete('origin')
  headers.set('sec-fetch-site', 'same-origin')
  return headers
}

/**
 * Who opens a link of a web mailer is logged in as ever: the browser sends the login's cookie, and the
 * page is theirs to see. Payload passes over the cookie of any request that another site caused, so
 * a page view has to say no more than that it is one. What has an `Origin` is none: a post, a script.
 */
function withoutLinkingSite(headers: Headers): Headers {
  const isPageView =
    headers.get('sec-fetch-site') === 'cross-site' &&
    headers.get('sec-fetch-mode') === 'navigate' &&
    headers.get('sec-fetch-dest') === 'document' &&
    !headers.has('origin')
  if (!isPageView) return headers
  const own = new Headers(headers)
  own.set('sec-fetch-site', 'none')
  return own
}

export const toVisitor = (
  user: UserDocument,
  { mapUser, log }: { mapUser: MapUser; log: Log },
): Visitor => ({
  id: user.id,
  collection: user.collection,
  profile: once(() => toldProfile(user, { mapUser, log })),
  document: user,
})

async function toldProfile(
  user: UserDocument,
  { mapUser, log }: { mapUser: MapUser; log: Log },
): Promise<Profile> {
  const about = { accountId: user.id }
  const leftOut: LeftOut[] = []
  try {
    return await accountProfile(user, mapUser, (field, reason) => leftOut.push({ field, reason }))
  } catch (error) {
    log.error({ err: error, ...about }, 'mapUser failed: nothing is told of the account')
    return {}
  } finally {
    if (leftOut.length > 0) {
      log.warn({ ...about, leftOut: leftOut.slice(0, 20) }, 'Values of an account left out')
    }
  }
}

/** What the marketing platform may be told of an account. Throws what `mapUser` throws. */
export const accountProfile = async (
  user: UserDocument,
  mapUser: MapUser,
  leaveOut: LeaveOut,
): Promise<Profile> =>
  mapUser ? readAccountProfile(await mapUser(user), leaveOut) : defaultProfile(user)

/**
 * The login's cookie or an `Authorization` header is there. A store with strategies of its own, or
 * with `admin.autoLogin`, may know people by anything.
 */
function mayBeLoggedIn({ authStrategies, config }: BasePayload, headers: Headers): boolean {
  const isOwn = ({ name }: { name: string }) => name !== 'local-jwt' && !name.endsWith('-api-key')
  if (authStrategies.some(isOwn) || config.admin.autoLogin) return true
  if (cookieValue(headers, `${config.cookiePrefix}-token`)) return true
  // Not the shipping platform's.
  return /^(?!basic\b)/i.test(headers.get('authorization') ?? 'basic')
}

/** What accounts usually hold, by the names that Payload's templates and their likes use. */
function defaultProfile(user: UserDocument): Profile {
  const given = textOf(user, 'firstName', 'first_name')
  const family = textOf(user, 'lastName', 'last_name')
  const names = given === undefined && family === undefined ? splitName(textOf(user, 'name')) : []
  const phone = textOf(user, 'phone', 'phoneNumber', 'phone_number')
  return withoutUndefined({
    email: textOf(user, 'email'),
    phoneNumber: phone === undefined ? undefined : readPhoneNumber(phone),
    externalId: String(user.id),
    firstName: given ?? names[0],
    lastName: family ?? names[1],
  })
}

/** `Ada King Lovelace`: the last word is taken for the family's name. */
function splitName(name: string | undefined): (string | undefined)[] {
  const words = name?.split(/\s+/) ?? []
  if (words.length < 2) return words
  return [words.slice(0, -1).join(' '), words.at(-1)]
}

function textOf(user: UserDocument, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = user[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return undefined
}

const withoutUndefined = (values: {
  [Name in keyof Profile]: Profile[Name] | undefined
}): Profile => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
