import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGraphqlStore, type GraphqlStore } from '../support/graphql-store.js'

type Role = 'guest' | 'customer' | 'admin'
type Right = 'read' | 'write'

/** A type, with what is said of it in a schema. */
interface NamedType {
  kind: string
  name: string | null
  ofType: NamedType | null
}

interface Operation {
  name: string
  args: { name: string; type: NamedType }[]
}

interface InputType {
  name: string
  inputFields: { name: string; type: NamedType }[] | null
  enumValues: { name: string }[] | null
}

const nobody: readonly Role[] = []
const admins: readonly Role[] = ['admin']

/** Who may do what with what Storeconnect adds, or has Payload add. */
const rights: Record<string, Record<Right, readonly Role[]>> = {
  ShippingSetting: { read: admins, write: admins },
  MarketingSetting: { read: admins, write: admins },
  AlertSetting: { read: admins, write: admins },
  PayloadJobsStat: { read: admins, write: admins },
  ShippingNotice: { read: admins, write: nobody },
  ShippingSkippedOrder: { read: admins, write: nobody },
  MarketingSend: { read: admins, write: nobody },
  MarketingHistory: { read: admins, write: nobody },
  MarketingErasure: { read: admins, write: nobody },
  ShippingPull: { read: admins, write: nobody },
  StoreconnectAlert: { read: admins, write: nobody },
  MarketingLease: { read: nobody, write: nobody },
  MarketingConsentProof: { read: nobody, write: nobody },
  MarketingCatalog: { read: nobody, write: nobody },
  MarketingCouponCode: { read: nobody, write: nobody },
  PayloadKv: { read: nobody, write: nobody },
  PayloadJob: { read: nobody, write: nobody },
  Site: { read: ['guest', 'customer', 'admin'], write: admins },
}

/** What Payload adds to every store, with rules of its own. */
const ofPayload = ['PayloadLockedDocument', 'PayloadPreference']

const isOurs = /(?:Shipping|Marketing|Alert|Payload|Site)[A-Z]?/

const introspection = `{ __schema {
  queryType { fields { ...asked } } mutationType { fields { ...asked } }
  types { name inputFields { name type { ...named } } enumValues { name } }
} }
fragment asked on __Field { name args { name type { ...named } } }
fragment named on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

describe('Through GraphQL', () => {
  let store: GraphqlStore
  const tokens = new Map<Role, string>()
  const operations: { asked: Operation; kind: 'query' | 'mutation' }[] = []
  const types = new Map<string, InputType>()

  beforeAll(async () => {
    store = await openGraphqlStore()
    for (const role of ['customer', 'admin'] as const) {
      const data = { email: `${role}@shop.example`, password: 'green tea, no sugar' }
      await store.payload.create({ collection: 'users', data: { ...data, roles: [role] } })
      tokens.set(role, (await store.payload.login({ collection: 'users', data })).token ?? '')
    }
    const { data } = await store.ask(introspection)
    const schema = data?.__schema as {
      queryType: { fields: Operation[] }
      mutationType: { fields: Operation[] }
      types: InputType[]
    }
    for (const type of schema.types) types.set(type.name, type)
    for (const asked of schema.queryType.fields) operations.push({ asked, kind: 'query' })
    for (const asked of schema.mutationType.fields) operations.push({ asked, kind: 'mutation' })
  })
  afterAll(() => store.close())

  /** The type that a query or mutation is about: `countShippingNotices` is about `ShippingNotice`. */
  const subjectOf = (name: string): string | undefined => {
    const subject = name.replace(/^(?:count|create|update|delete|duplicate|docAccess)(?=[A-Z])/, '')
    return [...Object.keys(rights), ...ofPayload].find((type) =>
      [type, `${type}s`, type.replace(/y$/, 'ies')].includes(subject),
    )
  }

  /** A value that the type takes. */
  function sampleOf(type: NamedType): string {
    if (type.kind === 'NON_NULL' && type.ofType !== null) return sampleOf(type.ofType)
    if (type.kind === 'LIST') return '[]'
    const { inputFields, enumValues } = types.get(type.name ?? '') ?? {}
    if (enumValues?.[0] !== undefined) return enumValues[0].name
    if (inputFields) return `{ ${argumentsOf(inputFields)} }`
    return type.name === 'Boolean' ? 'true' : type.name === 'String' ? '"2026-01-01"' : '1'
  }
  const argumentsOf = (given: Operation['args']): string =>
    given
      .filter(({ type }) => type.kind === 'NON_NULL')
      .map(({ name, type }) => `${name}: ${sampleOf(type)}`)
      .join(', ')

  /** Whether the role may ask it: what is not there, or not valid, is asked with right. */
  async function mayAsk(
    { asked, kind }: (typeof operations)[number],
    role: Role,
  ): Promise<boolean> {
    const given = argumentsOf(asked.args)
    const query = `${kind} { ${asked.name}${given && `(${given})`} { __typename } }`
    const { errors = [] } = await store.ask(query, tokens.get(role))
    for (const { message } of errors) expect(message, query).not.toMatch(/Field|Expected|Syntax/)
    return !errors.some(({ message }) => /not allowed/i.test(message))
  }

  it('everything that Storeconnect has Payload add is in this list', () => {
    const unknown = operations
      .map(({ asked }) => asked.name)
      .filter((name) => isOurs.test(name) && subjectOf(name) === undefined)
    expect(unknown).toEqual([])
  })

  it.each(Object.entries(rights))('%s is read and written as it should', async (type, right) => {
    const about = operations.filter(
      ({ asked }) => subjectOf(asked.name) === type && !asked.name.startsWith('docAccess'),
    )
    expect(about.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['query', 'mutation']) as unknown,
    )
    for (const operation of about) {
      for (const role of ['guest', 'customer', 'admin'] as const) {
        const may = right[operation.kind === 'query' ? 'read' : 'write'].includes(role)
        expect(await mayAsk(operation, role), `${role}: ${operation.asked.name}`).toBe(may)
      }
    }
  })

  it("a cart's customer is nobody else than who is logged in", async () => {
    const { payload } = store
    const customerOf = async (id: number) =>
      (await payload.findByID({ collection: 'carts', id, depth: 0 })).customer as number | null
    const data = { email: 'zofia@shop.example', password: 'green tea, no sugar' }
    const zofia = Number((await payload.create({ collection: 'users', data })).id)
    const given = `data: { currency: USD, customer: ${zofia} }`
    const idIn = (answer: Awaited<ReturnType<GraphqlStore['ask']>>, name: string) =>
      (answer.data?.[name] as { id: number }).id

    for (const role of ['guest', 'customer'] as const) {
      const token = tokens.get(role)
      const made = await store.ask(`mutation { createCart(${given}) { id } }`, token)
      const id = idIn(made, 'createCart')
      expect(await customerOf(id)).toBeNull()
      await store.ask(`mutation { updateCart(id: ${id}, ${given}) { id } }`, token)
      await store.ask(`mutation { duplicateCart(id: ${id}, ${given}) { id } }`, token)
    }
    const theirs = await payload.find({
      collection: 'carts',
      where: { customer: { equals: zofia } },
    })
    expect(theirs.docs).toEqual([])

    const made = await store.ask(`mutation { createCart(${given}) { id } }`, tokens.get('admin'))
    expect(await customerOf(idIn(made, 'createCart'))).toBe(zofia)
  })

  it('an account that is deleted has its person erased', async () => {
    const data = { email: 'erased@shop.example', password: 'green tea, no sugar' }
    const { id } = await store.payload.create({ collection: 'users', data })
    const given = `mutation { deleteUser(id: ${id}) { id } }`
    const { errors } = await store.ask(given, tokens.get('admin'))
    expect(errors).toBeUndefined()
    const where = { door: { equals: 'account' }, state: { equals: 'erased' } }
    const { totalDocs } = await store.payload.count({ collection: 'marketing-erasures', where })
    expect(totalDocs).toBe(1)
  })
})
