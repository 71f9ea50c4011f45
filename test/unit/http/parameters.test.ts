import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/errors.js'
import {
  depthLimit,
  looseTextParameter,
  nameLimit,
  parameterLimit,
  readParameters,
  textParameter,
} from '../../../src/http/parameters.js'
import { bodyLimitBytes } from '../../../src/http/request-body.js'

const url = 'https://shop.example/actions/somewhere'

const plain = (tree: unknown): unknown => JSON.parse(JSON.stringify(tree))

const get = async (query: string) => plain((await readParameters(new Request(url + query))).tree)

const post = (body: BodyInit, contentType?: string, query = '') =>
  new Request(url + query, {
    method: 'POST',
    body,
    ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
  })

const postForm = async (body: string, query = '') =>
  plain((await readParameters(post(body, 'application/x-www-form-urlencoded', query))).tree)

const postJson = async (body: unknown, query = '') =>
  plain((await readParameters(post(JSON.stringify(body), 'application/json', query))).tree)

const problemOf = async (request: Request): Promise<Problem> => {
  const error: unknown = await readParameters(request).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Problem)
  return error as Problem
}

describe('readParameters: query string and body', () => {
  it('reads the query string of a GET', async () => {
    expect(await get('?action=export&page=2')).toEqual({ action: 'export', page: '2' })
  })

  it('reads no body of a GET or HEAD, and nothing where there is nothing', async () => {
    expect(await get('')).toEqual({})
    expect(
      plain((await readParameters(new Request(url + '?a=1', { method: 'HEAD' }))).tree),
    ).toEqual({ a: '1' })
    expect(plain((await readParameters(new Request(url, { method: 'POST' }))).tree)).toEqual({})
  })

  it('lets the query string win where a parameter is in both', async () => {
    expect(await postForm('action=shipnotify&carrier=UPS', '?action=export')).toEqual({
      action: 'export',
      carrier: 'UPS',
    })
    expect(await postJson({ action: 'shipnotify', list: 'a' }, '?action=export')).toEqual({
      action: 'export',
      list: 'a',
    })
  })

  it('lets an empty value in the query string win too', async () => {
    expect(await postForm('order_number=AB12', '?order_number=')).toEqual({ order_number: '' })
  })

  it.each([
    { body: 'lists[]=x&lists[]=y', query: '?lists[]=z', expected: { lists: ['z'] } },
    { body: 'lists[0]=x&lists[1]=y', query: '?lists[]=z', expected: { lists: ['z'] } },
    { body: 'lists[]=x', query: '?lists=z', expected: { lists: 'z' } },
    {
      body: 'profile[email]=a@b.co',
      query: '?profile[email]=c@d.co',
      expected: { profile: { email: 'c@d.co' } },
    },
    {
      body: 'profile=x',
      query: '?profile[email]=c@d.co',
      expected: { profile: { email: 'c@d.co' } },
    },
  ])('lets the query string win with $query over $body', async ({ body, query, expected }) => {
    expect(await postForm(body, query)).toEqual(expected)
  })

  it('lets a plain name in the query string win over nested ones of the same name in the body', async () => {
    expect(await postForm('action[x]=1', '?action=export')).toEqual({ action: 'export' })
    expect(await postJson({ action: { x: 1 } }, '?action=export')).toEqual({ action: 'export' })
  })

  it('merges different keys of one group from the query string and the body', async () => {
    expect(await postForm('event[name]=Seen', '?event[value]=3')).toEqual({
      event: { name: 'Seen', value: '3' },
    })
  })

  it('decodes percent signs, plus signs and non-ASCII text', async () => {
    expect(await get('?a=10%2F03%2F2026+14%3A30&b=%C3%BC&c=%E2%82%AC')).toEqual({
      a: '10/03/2026 14:30',
      b: 'ü',
      c: '€',
    })
  })

  it('takes the last of a plain name that comes twice', async () => {
    expect(await get('?page=1&page=2&page=3')).toEqual({ page: '3' })
    expect(await postForm('carrier=UPS&carrier=DHL')).toEqual({ carrier: 'DHL' })
  })
})

describe('readParameters: bodies', () => {
  const tree = {
    action: 'track',
    profile: { email: 'ada@example.com', location: { city: 'Bönn' } },
    event: { name: 'Seen & bought', value: '3.5' },
    lists: ['A', 'B'],
    subscribe: '1',
  }
  const pairs: [string, string][] = [
    ['action', 'track'],
    ['profile[email]', 'ada@example.com'],
    ['profile[location][city]', 'Bönn'],
    ['event[name]', 'Seen & bought'],
    ['event[value]', '3.5'],
    ['lists[]', 'A'],
    ['lists[]', 'B'],
    ['subscribe', '1'],
  ]
  const formData = () => {
    const form = new FormData()
    for (const [name, value] of pairs) form.append(name, value)
    return form
  }

  it.each<[string, () => Request]>([
    ['urlencoded', () => post(new URLSearchParams(pairs))],
    ['multipart', () => post(formData())],
    [
      'JSON',
      () =>
        post(
          JSON.stringify({ ...tree, event: { ...tree.event, value: 3.5 }, subscribe: 1 }),
          'application/json; charset=utf-8',
        ),
    ],
    [
      'JSON with bracketed names',
      () =>
        post(
          JSON.stringify({
            action: 'track',
            'profile[email]': 'ada@example.com',
            'profile[location][city]': 'Bönn',
            event: tree.event,
            lists: ['A', 'B'],
            subscribe: '1',
          }),
          'application/vnd.api+json',
        ),
    ],
  ])('reads the same tree from a body that is %s', async (_kind, request) => {
    expect(plain((await readParameters(request())).tree)).toEqual(tree)
  })

  it('reads JSON booleans and numbers as text, and null and empty groups as absent', async () => {
    expect(await postJson({ a: true, b: false, c: 0, d: 1.5, e: null, f: {}, g: [] })).toEqual({
      a: 'true',
      b: 'false',
      c: '0',
      d: '1.5',
    })
  })

  it('leaves files of a multipart body out', async () => {
    const form = formData()
    form.append('picture', new Blob(['x']), 'x.png')
    expect(plain((await readParameters(post(form))).tree)).toEqual(tree)
  })

  it('reads lists with empty and with numbered brackets, in order', async () => {
    expect(await postForm('lists[]=A&lists[]=B')).toEqual({ lists: ['A', 'B'] })
    expect(await postForm('lists[1]=B&lists[0]=A')).toEqual({ lists: ['A', 'B'] })
  })

  it('makes one group of what is posted below empty brackets, until a name comes again', async () => {
    expect(await postForm('items[][id]=1&items[][qty]=2&items[][id]=3')).toEqual({
      items: [{ id: '1', qty: '2' }, { id: '3' }],
    })
  })

  it('takes the last where a name is a text and a group', async () => {
    expect(await postForm('a=1&a[b]=2')).toEqual({ a: { b: '2' } })
    expect(await postForm('a[b]=2&a=1')).toEqual({ a: '1' })
  })

  it('reads keys that are no indexes, and indexes beyond a list, as names', async () => {
    expect(await postForm('a[0]=x&a[b]=y')).toEqual({ a: { 0: 'x', b: 'y' } })
    expect(await postForm('a[57123]=x')).toEqual({ a: { 57123: 'x' } })
    expect(await postForm('a[01]=x')).toEqual({ a: { '01': 'x' } })
  })

  it('refuses a body that is compressed, or in another encoding than it says', async () => {
    const compressed = post('a=1', 'application/x-www-form-urlencoded')
    compressed.headers.set('content-encoding', 'gzip')
    expect(await problemOf(compressed)).toMatchObject({ status: 400 })
    const bytes = new Uint8Array([0x61, 0x3d, 0xff])
    const type = 'application/x-www-form-urlencoded; charset=utf-8'
    expect(await problemOf(post(bytes, type))).toMatchObject({ status: 400 })
  })

  it('reads a list of many elements as a list', async () => {
    const body = Array.from({ length: 300 }, (_, index) => `lists[]=${index}`).join('&')
    const { lists } = (await postForm(body)) as { lists: unknown }
    expect(lists).toEqual(Array.from({ length: 300 }, (_, index) => String(index)))
  })

  it('hands an XML body over as it is, whatever its Content-Type says', async () => {
    for (const type of ['text/xml', 'application/x-www-form-urlencoded', 'text/plain']) {
      const { tree: parameters, xml } = await readParameters(
        post('\n<ShipNotice/>', type, '?action=shipnotify'),
      )
      expect(xml).toBe('<ShipNotice/>')
      expect(plain(parameters)).toEqual({ action: 'shipnotify' })
    }
  })

  it('ignores a body of another type', async () => {
    const { tree: parameters, xml } = await readParameters(post('a=1', 'text/plain', '?b=2'))
    expect(xml).toBeUndefined()
    expect(plain(parameters)).toEqual({ b: '2' })
  })

  it.each([
    { body: '{"a":', type: 'application/json', message: 'The JSON body cannot be read.' },
    { body: '[1]', type: 'application/json', message: 'The JSON body must be an object.' },
    { body: '"a"', type: 'application/json', message: 'The JSON body must be an object.' },
    { body: 'null', type: 'application/json', message: 'The JSON body must be an object.' },
    {
      body: 'not multipart at all',
      type: 'multipart/form-data; boundary=x',
      message: 'The multipart body cannot be read.',
    },
    {
      body: '--x--',
      type: 'multipart/form-data',
      message: 'The multipart body cannot be read.',
    },
  ])('refuses $body of type $type with 400: $message', async ({ body, type, message }) => {
    expect(await problemOf(post(body, type))).toMatchObject({
      code: 'PARAMETER_INVALID',
      status: 400,
      message,
    })
  })
})

describe('readParameters: limits', () => {
  const withSize = (bytes: number) => 'a=' + 'x'.repeat(bytes - 2)
  const inChunks = (bytes: number) => {
    let left = bytes
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const size = Math.min(left, 10_000)
        if (size === 0) controller.close()
        else controller.enqueue(Buffer.from(`a=${'x'.repeat(size - 2)}`))
        left -= size
      },
    })
  }
  const streamed = (bytes: number) =>
    new Request(url, {
      method: 'POST',
      body: inChunks(bytes),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      duplex: 'half',
    } as RequestInit)

  it('takes a body of 256 KiB and refuses one byte more with 413', async () => {
    expect(bodyLimitBytes).toBe(262_144)
    const type = 'application/x-www-form-urlencoded'
    const { tree } = await readParameters(post(withSize(bodyLimitBytes), type))
    expect(textParameter(tree, 'a')).toHaveLength(bodyLimitBytes - 2)
    expect(await problemOf(post(withSize(bodyLimitBytes + 1), type))).toMatchObject({
      code: 'BODY_TOO_LARGE',
      status: 413,
    })
  })

  it('counts the bytes of a body that announces no length', async () => {
    await readParameters(streamed(bodyLimitBytes))
    expect((await problemOf(streamed(bodyLimitBytes + 1))).status).toBe(413)
  })

  it('refuses a body by the length it announces, before reading it', async () => {
    const request = post('a=1', 'application/x-www-form-urlencoded')
    request.headers.set('content-length', String(bodyLimitBytes + 1))
    expect((await problemOf(request)).status).toBe(413)
    expect(request.bodyUsed).toBe(false)
  })

  it('takes 1,000 parameters and refuses one more with 400, query string and body together', async () => {
    expect(parameterLimit).toBe(1000)
    const body = Array.from({ length: 999 }, (_, index) => `p${index}=1`).join('&')
    expect(Object.keys((await postForm(body, '?q=1')) as object)).toHaveLength(1000)
    const problem = await problemOf(post(body, 'application/x-www-form-urlencoded', '?q=1&r=1'))
    expect(problem).toMatchObject({ status: 400 })
    expect(problem.message).toContain('1000 parameters')
  })

  it('takes names nested five deep and refuses six with 400', async () => {
    expect(depthLimit).toBe(5)
    expect(await get('?a[b][c][d][e][f]=1')).toEqual({ a: { b: { c: { d: { e: { f: '1' } } } } } })
    expect(await problemOf(new Request(url + '?a[b][c][d][e][f][g]=1'))).toMatchObject({
      status: 400,
      message: 'A parameter is nested deeper than 5 levels.',
    })
  })

  it('takes names of 512 characters, brackets included, and refuses one more with 400', async () => {
    expect(nameLimit).toBe(512)
    const message = 'The name of a parameter is longer than 512 characters.'
    const long = 'x'.repeat(nameLimit - 'a[]'.length)
    expect(await get(`?a[${long}]=1`)).toEqual({ a: { [long]: '1' } })
    expect(await postJson({ a: { [long]: '1' } })).toEqual({ a: { [long]: '1' } })
    expect(await problemOf(new Request(`${url}?a[${long}x]=1`))).toMatchObject({ message })
    const body = JSON.stringify({ a: { [`${long}x`]: '1' } })
    expect(await problemOf(post(body, 'application/json'))).toMatchObject({ message })
  })

  it('takes 1,000 values of JSON, empty ones too, and refuses one more with 400', async () => {
    const values = (count: number) => Array.from({ length: count }, () => [])
    expect(await postJson({ a: values(1000) })).toEqual({})
    const problem = await problemOf(post(JSON.stringify({ a: values(1001) }), 'application/json'))
    expect(problem).toMatchObject({ message: 'There are more than 1000 parameters.' })
  })

  it('counts no commas and brackets within the texts of JSON', async () => {
    const text = '[{,"\\'.repeat(2000)
    expect(await postJson({ a: text, b: ['\\"', ','] })).toEqual({ a: text, b: ['\\"', ','] })
  })

  it('counts the depth of JSON in the same way', async () => {
    const five = { a: { b: { c: { d: { e: { f: '1' } } } } } }
    expect(await postJson(five)).toEqual(five)
    expect((await problemOf(post(JSON.stringify({ x: five }), 'application/json'))).status).toBe(
      400,
    )
  })

  it('refuses JSON that is nested as deeply as fits into a body', async () => {
    const half = Math.floor(bodyLimitBytes / 2) - 10
    const body = `{"a":${'['.repeat(half)}${']'.repeat(half)}}`
    expect((await problemOf(post(body, 'application/json'))).status).toBe(400)
  })

  it.each([
    ['a value', '?order_number=AB%0012', 'order_number'],
    ['a name', '?order%00_number=AB', 'order_number'],
  ])('refuses U+0000 in %s with 400, naming the parameter', async (_where, query, name) => {
    expect(await problemOf(new Request(url + query))).toMatchObject({
      status: 400,
      message: `The parameter "${name}" holds a NUL character.`,
    })
  })

  it('refuses U+0000 in JSON and multipart bodies', async () => {
    expect((await problemOf(post('{"a":{"b":"\\u0000"}}', 'application/json'))).status).toBe(400)
    const form = new FormData()
    form.append('a', 'x\0')
    expect((await problemOf(post(form))).status).toBe(400)
  })

  it('replaces lone surrogates, which no database takes', async () => {
    expect(await postJson({ a: 'x\ud800y' })).toEqual({ a: 'x\ufffdy' })
  })
})

describe('readParameters: names that reach for prototypes', () => {
  const names = fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'a',
    '',
  )
  const dangerous = fc
    .tuple(names, fc.array(names, { maxLength: 4 }))
    .map(([first, rest]) => first + rest.map((name) => `[${name}]`).join(''))
  const pairs = fc.array(fc.tuple(dangerous, fc.string()), { minLength: 1, maxLength: 12 })
  const withoutNul = (text: string) => text.replaceAll('\0', '')

  const inheritsNothing = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    ((Array.isArray(value) || Object.getPrototypeOf(value) === null) &&
      Object.values(value).every(inheritsNothing))

  const prototypeNames = () => [
    Object.getOwnPropertyNames(Object.prototype),
    Object.getOwnPropertyNames(Array.prototype),
    Object.getOwnPropertyNames(Object),
  ]

  it('never change a prototype, and give a tree that inherits nothing', async () => {
    const before = JSON.stringify(prototypeNames())
    await fc.assert(
      fc.asyncProperty(pairs, fc.boolean(), async (chosen, asForm) => {
        const text = new URLSearchParams(
          chosen.map(([name, value]) => [name, withoutNul(value)]),
        ).toString()
        const request = asForm
          ? post(text, 'application/x-www-form-urlencoded')
          : new Request(`${url}?${text}`)
        const { tree } = await readParameters(request)
        expect(inheritsNothing(tree)).toBe(true)
        expect(JSON.stringify(prototypeNames())).toBe(before)
        expect(Object.prototype).not.toHaveProperty('polluted')
      }),
      { numRuns: 300 },
    )
  })

  it('never change a prototype from JSON either', async () => {
    const before = JSON.stringify(prototypeNames())
    const body =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}},"__proto__[polluted]":"1"}'
    const { tree } = await readParameters(post(body, 'application/json'))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(tree.polluted).toBeUndefined()
    expect(JSON.stringify(prototypeNames())).toBe(before)
    expect(inheritsNothing(tree)).toBe(true)
  })

  it('read names of Object.prototype that nobody sent as absent', async () => {
    const { tree } = await readParameters(new Request(url))
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(textParameter(tree, name)).toBeUndefined()
    }
  })
})

describe('textParameter and looseTextParameter', () => {
  it('refuses a list or a group where one text belongs, naming the parameter', async () => {
    for (const query of ['?store[]=a&store[]=b', '?store[x]=a']) {
      const { tree } = await readParameters(new Request(url + query))
      expect(() => textParameter(tree, 'store')).toThrow('The parameter "store" must be one text.')
    }
  })

  it('counts a list or a group as absent where that is allowed', async () => {
    const { tree } = await readParameters(new Request(url + '?page[]=2&start_date[x]=1&end_date=3'))
    expect(looseTextParameter(tree, 'page')).toBeUndefined()
    expect(looseTextParameter(tree, 'start_date')).toBeUndefined()
    expect(looseTextParameter(tree, 'end_date')).toBe('3')
    expect(looseTextParameter(tree, 'store')).toBeUndefined()
  })
})
