import { executeAuthStrategies, type BasePayload, type PayloadRequest } from 'payload'
import { createLocalReq } from 'payload'
import type { Profile } from '../../marketing/profile.js'
import { readPhoneNumber } from '../../marketing/phone-number.js'
import type { MarketingOptions, UserDocument } from '../../options/options.js'
import { cookieValue } from '../../http/cookie-value.js'
import type { Visitor } from '../visitor.js'

/** Finds out who is logged in. */
export type Visitors = (headers: Headers) => Promise<Visitor | undefined>

type MapUser = MarketingOptions['mapUser']

/** By Payload's own authentication; a visitor without a login costs no query. */
export function createVisitors(
  payload: BasePayload,
  { mapUser }: { mapUser?: MapUser } = {},
): Visitors {
  return async (headers) => {
    if (!mayBeLoggedIn(payload, headers)) return undefined
    const { user } = await authenticate(payload, headers)
    return user ? toVisitor(user, mapUser) : undefined
  }
}

/** The account of the headers and a request in its name. */
export async function authenticate(
  payload: BasePayload,
  given: Headers,
): Promise<{ user: PayloadRequest['user']; req: PayloadRequest }> {
  const headers = withoutLinkingSite(given)
  const req = await createLocalReq({ req: { headers } }, payload)
  const { user } = await executeAuthStrategies({ headers, payload, req })
  req.user = user
  return { user, req }
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

export async function toVisitor(user: UserDocument, mapUser: MapUser): Promise<Visitor> {
  return {
    id: user.id,
    collection: user.collection,
    profile: mapUser ? ((await mapUser(user)) ?? {}) : defaultProfile(user),
    document: user,
  }
}

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
