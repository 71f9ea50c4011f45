import { describe, expect, it } from 'vitest'
import { answering, json, type ReceivedCall } from './answering.js'

const organization = { contact_information: { organization_name: 'Tea House' } }
const account = json(200, { data: [{ type: 'account', id: 'AbC123', attributes: organization }] })

const scopesOf: Record<string, string[]> = {
  'GET /api/accounts': ['accounts:read'],
  'GET /api/profiles': ['profiles:read'],
  'GET /api/lists': ['lists:read'],
  'GET /api/metrics': ['metrics:read'],
  'GET /api/catalog-items': ['catalogs:read'],
  'POST /api/events': ['events:write'],
  'POST /api/profile-import': ['profiles:write'],
  'POST /api/lists/STORECONNECT/relationships/profiles': ['lists:write', 'profiles:write'],
  'POST /api/profile-subscription-bulk-create-jobs': [
    'lists:write',
    'profiles:write',
    'subscriptions:write',
  ],
  'POST /api/data-privacy-deletion-jobs': ['data-privacy:write'],
  'POST /api/catalog-item-bulk-create-jobs': ['catalogs:write'],
}

const all = [...new Set(Object.values(scopesOf).flat())]

/** Answers as documented: scopes are looked at before bodies. */
function withKey(scopes: readonly string[], detail = 'You do not have permission.') {
  const answer = ({ method, url, body }: ReceivedCall): Response => {
    const needed = scopesOf[`${method} ${url.pathname}`]
    if (needed === undefined) return json(404, {})
    if (!needed.every((scope) => scopes.includes(scope)))
      return json(403, { errors: [{ code: 'permission_denied', detail }] })
    if (method === 'GET')
      return url.pathname === '/api/accounts' ? account.clone() : json(200, { data: [] })
    // Whatever could create something would be an accident.
    return JSON.stringify(body) === '{}' ? json(400, {}) : json(202, {})
  }
  return answering(...Array.from({ length: 11 }, () => answer))
}

describe('The check of a key', () => {
  it('says whose it is and that nothing is missing, and writes nothing', async () => {
    const { klaviyo, asked, options } = withKey(all)
    expect(await klaviyo.checkAccount(options)).toEqual({
      accountName: 'Tea House',
      missingScopes: [],
    })
    const posted = asked.filter(({ method }) => method === 'POST')
    expect(posted).toHaveLength(6)
    for (const { body } of posted) expect(body).toEqual({})
  })

  it.each(all)('names %s when it is missing', async (scope) => {
    const { klaviyo, options } = withKey(all.filter((other) => other !== scope))
    expect(await klaviyo.checkAccount(options)).toMatchObject({ missingScopes: [scope] })
  })

  it('claims nothing of scopes that another missing one hides', async () => {
    const { klaviyo, options } = withKey(['accounts:read'])
    expect(await klaviyo.checkAccount(options)).toMatchObject({
      missingScopes: [
        'catalogs:read',
        'catalogs:write',
        'data-privacy:write',
        'events:write',
        'lists:read',
        'metrics:read',
        'profiles:read',
        'profiles:write',
      ],
    })
  })

  it('believes the platform when it names the missing one', async () => {
    const others = all.filter((scope) => scope !== 'lists:write')
    const { klaviyo, options } = withKey(others, 'Missing scope: lists:write')
    expect(await klaviyo.checkAccount(options)).toMatchObject({ missingScopes: ['lists:write'] })
  })

  it.each([
    [json(401, {}), 'misconfigured'],
    [json(500, {}), 'later'],
    [json(404, {}), 'misconfigured'],
    [json(200, { data: [] }), 'later'],
    [new TypeError('fetch failed'), 'later'],
    [new Response('<html>', { status: 403, headers: { 'content-type': 'text/html' } }), 'later'],
  ])('fails when the account does not answer', async (answer, is) => {
    const { klaviyo, asked, options } = answering(answer)
    expect(await klaviyo.checkAccount(options)).toMatchObject({ failed: { is } })
    expect(asked).toHaveLength(1)
  })

  it('fails when one of its questions does not get through', async () => {
    const { klaviyo, options } = answering(
      account.clone(),
      ...Array.from({ length: 10 }, () => json(503, {})),
    )
    expect(await klaviyo.checkAccount(options)).toMatchObject({ failed: { is: 'later' } })
  })
})
