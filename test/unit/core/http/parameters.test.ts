import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../../src/core/errors.js'
import {
  depthLimit,
  looseTextParameter,
  fileLimit,
  nameLimit,
  parameterLimit,
  readParameters,
  textParameter,
} from '../../../../src/core/http/parameters.js'
import { bodyLimitBytes } from '../../../../src/core/http/request-body.js'

const url = 'https://shop.example/actions/somewhere'

const plain = (tree: unknown): unknown => JSON.parse(JSON.stringify(tree))

const get = async (query: string) => plain((await readParameters(new Request(url + query))).tree)

const post = (body: BodyInit, contentType?: string, query = '') =>
  new Request(url + query, {
    method: 'POST',
    body,
    ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
  })

const formType = 'application/x-www-form-urlencoded'
const ofForm = (body: BodyInit, query = '') => post(body, formType, query)
const jsonType = 'application/json; charset=utf-8'
const ofJson = (body: unknown, query = '') => post(JSON.stringify(body), jsonType, query)

const postForm = async (body: string, query = '') =>
  plain((await readParameters(ofForm(body, query))).tree)

const postJson = async (body: unknown, query = '') =>
  plain((await readParameters(ofJson(body, query))).tree)

const problemOf = async (request: Request): Promise<Problem> => {
  const error: unknown = await readParameters(request).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Problem)
  return error as Problem
}

describe('readParameters: query string and body', () => {
  it('reads no body of a GET or HEAD, and nothing where there is nothing', async () => {
    const ofRequest = async (query: string, method: string) =>
      plain((await readParameters(new Request(url + query, { method }))).tree)
    expect(await ofRequest('', 'GET')).toEqual({})
    expect(await ofRequest('?a=1', 'HEAD')).toEqual({ a: '1' })
    expect(await ofRequest('', 'POST')).toEqual({})
  })

  it.each<[query: string, body: string, tree: object]>([
    ['?action=export', 'action=shipnotify&carrier=UPS', { action: 'export', carrier: 'UPS' }],
    ['?order_number=', 'order_number=AB12', { order_number: '' }],
    ['?lists[]=z', 'lists[]=x&lists[]=y', { lists: ['z'] }],
    ['?lists[]=z', 'lists[0]=x&lists[1]=y', { lists: ['z'] }],
    ['?lists=z', 'lists[]=x', { lists: 'z' }],
    ['?action=export', 'action[x]=1', { action: 'export' }],
    ['?profile[email]=c', 'profile[email]=a', { profile: { email: 'c' } }],
    ['?profile[email]=c', 'profile=x', { profile: { email: 'c' } }],
    ['?event[value]=3', 'event[name]=Seen', { event: { name: 'Seen', value: '3' } }],
  ])('lets the query string win where a parameter is in both: %s, %s', async (...row) => {
    const [query, body, tree] = row
    expect(await postForm(body, query)).toEqual(tree)
  })

  it('lets the query string win over JSON too', async () => {
    const body = { action: { x: 1 }, list: 'a' }
    expect(await postJson(body, '?action=export')).toEqual({ action: 'export', list: 'a' })
  })

  it.each<[body: string, tree: object]>([
    ['a=10%2F03+14%3A30&b=%C3%BC', { a: '10/03 14:30', b: 'ü' }],
    ['page=1&page=2&page=3', { page: '3' }],
    ['lists[]=A&lists[]=B', { lists: ['A', 'B'] }],
    ['lists[1]=B&lists[0]=A', { lists: ['A', 'B'] }],
    ['items[][id]=1&items[][qty]=2&items[][id]=3', { items: [{ id: '1', qty: '2' }, { id: '3' }] }],
    ['a=1&a[b]=2', { a: { b: '2' } }],
    ['a[b]=2&a=1', { a: '1' }],
    ['a[0]=x&a[b]=y', { a: { 0: 'x', b: 'y' } }],
    ['a[57123]=x', { a: { 57123: 'x' } }],
    ['a[01]=x', { a: { '01': 'x' } }],
  ])('reads %s', async (body, tree) => {
    expect(await postForm(body)).toEqual(tree)
    expect(await get(`?${body}`)).toEqual(tree)
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
    form.append('picture', new Blob(['x']), 'x.png')
    return form
  }

  it.each<[string, () => Request]>([
    ['urlencoded', () => post(new URLSearchParams(pairs))],
    ['multipart, whose files are left out', () => post(formData())],
    ['JSON', () => ofJson({ ...tree, event: { ...tree.event, value: 3.5 }, subscribe: 1 })],
    [
      'JSON with bracketed names',
      () => {
        const { lists } = tree
        const body = { ...Object.fromEntries(pairs.filter(([name]) => name !== 'lists[]')), lists }
        return post(JSON.stringify(body), 'application/vnd.api+json')
      },
    ],
  ])('reads the same tree from a body that is %s', async (_kind, request) => {
    expect(plain((await readParameters(request())).tree)).toEqual(tree)
  })

  it('reads JSON booleans and numbers as text, and null and empty groups as absent', async () => {
    const read = { a: 'true', b: 'false', c: '0', d: '1.5' }
    expect(await postJson({ a: true, b: false, c: 0, d: 1.5, e: null, f: {}, g: [] })).toEqual(read)
  })

  it('refuses a body that is compressed, or in another encoding than it says', async () => {
    const compressed = ofForm('a=1')
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
    for (const type of ['text/xml', formType, 'text/plain']) {
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
    ['{"a":', 'application/json', 'The JSON body cannot be read.'],
    ['[1]', 'application/json', 'The JSON body must be an object.'],
    ['null', 'application/json', 'The JSON body must be an object.'],
    ['no parts', 'multipart/form-data; boundary=x', 'The multipart body cannot be read.'],
    ['--x--', 'multipart/form-data', 'The multipart body cannot be read.'],
  ])('refuses %s of type %s with 400: %s', async (body, type, message) => {
    const problem = { code: 'PARAMETER_INVALID', status: 400, message }
    expect(await problemOf(post(body, type))).toMatchObject(problem)
  })
})

describe('readParameters: limits', () => {
  const withSize = (bytes: number) => 'a=' + 'x'.repeat(bytes - 2)
  /** Without a length. */
  const streamed = (bytes: number) => {
    const body = new Blob([withSize(bytes)]).stream()
    const headers = { 'content-type': formType }
    return new Request(url, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  }

  it('takes a body of 256 KiB and refuses one byte more with 413', async () => {
    expect(bodyLimitBytes).toBe(262_144)
    const { tree } = await readParameters(ofForm(withSize(bodyLimitBytes)))
    expect(textParameter(tree, 'a')).toHaveLength(bodyLimitBytes - 2)
    const problem = { code: 'BODY_TOO_LARGE', status: 413 }
    expect(await problemOf(ofForm(withSize(bodyLimitBytes + 1)))).toMatchObject(problem)
  })

  it('counts the bytes of a body that announces no length', async () => {
    await readParameters(streamed(bodyLimitBytes))
    expect((await problemOf(streamed(bodyLimitBytes + 1))).status).toBe(413)
  })

  it('refuses a body by the length it announces, before reading it', async () => {
    const request = ofForm('a=1')
    request.headers.set('content-length', String(bodyLimitBytes + 1))
    expect((await problemOf(request)).status).toBe(413)
    expect(request.bodyUsed).toBe(false)
  })

  it('takes 1,000 parameters and refuses one more with 400, query string and body together', async () => {
    expect(parameterLimit).toBe(1000)
    const body = Array.from({ length: 999 }, (_, index) => `p${index}=1`).join('&')
    expect(Object.keys((await postForm(body, '?q=1')) as object)).toHaveLength(1000)
    const problem = { status: 400, message: expect.stringContaining('1000 parameters') as string }
    expect(await problemOf(ofForm(body, '?q=1&r=1'))).toMatchObject(problem)
  })

  it('takes names nested five deep and refuses six with 400', async () => {
    expect(depthLimit).toBe(5)
    expect(await get('?a[b][c][d][e][f]=1')).toEqual({ a: { b: { c: { d: { e: { f: '1' } } } } } })
    const problem = { status: 400, message: 'A parameter is nested deeper than 5 levels.' }
    expect(await problemOf(new Request(`${url}?a[b][c][d][e][f][g]=1`))).toMatchObject(problem)
    const five = { a: { b: { c: { d: { e: { f: '1' } } } } } }
    expect(await postJson(five)).toEqual(five)
    expect(await problemOf(ofJson({ x: five }))).toMatchObject(problem)
  })

  it('takes names of 512 characters, brackets included, and refuses one more with 400', async () => {
    expect(nameLimit).toBe(512)
    const message = 'The name of a parameter is longer than 512 characters.'
    const long = 'x'.repeat(nameLimit - 'a[]'.length)
    expect(await get(`?a[${long}]=1`)).toEqual({ a: { [long]: '1' } })
    expect(await postJson({ a: { [long]: '1' } })).toEqual({ a: { [long]: '1' } })
    expect(await problemOf(new Request(`${url}?a[${long}x]=1`))).toMatchObject({ message })
    expect(await problemOf(ofJson({ a: { [`${long}x`]: '1' } }))).toMatchObject({ message })
  })

  it('takes 100 files, which it leaves out, and refuses one more with 400', async () => {
    const withFiles = (count: number) => {
      const form = new FormData()
      form.append('filename', 'a.txt; filename')
      for (let index = 0; index < count; index += 1) form.append('f[]', new Blob(['x']), 'a.txt')
      return new Request(url, { method: 'POST', body: form })
    }
    expect(fileLimit).toBe(100)
    expect((await readParameters(withFiles(100))).tree).toEqual({ filename: 'a.txt; filename' })
    const problem = { status: 400, message: 'There are more than 100 files.' }
    expect(await problemOf(withFiles(101))).toMatchObject(problem)
  })

  it('takes 1,000 values of JSON, empty ones too, and refuses one more with 400', async () => {
    const values = (count: number) => Array.from({ length: count }, () => [])
    expect(await postJson({ a: values(1000) })).toEqual({})
    const problem = { message: 'There are more than 1000 parameters.' }
    expect(await problemOf(ofJson({ a: values(1001) }))).toMatchObject(problem)
  })

  it('counts no commas and brackets within the texts of JSON', async () => {
    const text = '[{,"\\'.repeat(2000)
    expect(await postJson({ a: text, b: ['\\"', ','] })).toEqual({ a: text, b: ['\\"', ','] })
  })

  it('refuses U+0000 in names and values with 400, naming the parameter', async () => {
    const form = new FormData()
    form.append('a', 'x\0')
    const requests = [
      new Request(`${url}?a=AB%0012`),
      new Request(`${url}?%00a=AB`),
      ofJson({ a: '\0' }),
      post(form),
    ]
    for (const request of requests) {
      const message = expect.stringMatching(/^The parameter "a.*holds a NUL/) as string
      expect(await problemOf(request)).toMatchObject({ status: 400, message })
    }
  })

  it('replaces lone surrogates, which no database takes', async () => {
    expect(await postJson({ a: 'x\ud800y' })).toEqual({ a: 'x\ufffdy' })
  })
})

describe('readParameters: names that reach for prototypes', () => {
  const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']
  const names = fc.constantFrom(...inherited, 'a', '')
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
        const request = asForm ? ofForm(text) : new Request(`${url}?${text}`)
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
  it('refuse a list or a group where one text belongs, or count it as absent', async () => {
    const query = '?list[]=2&group[x]=1&text=3'
    const { tree } = await readParameters(new Request(url + query))
    for (const name of ['list', 'group']) {
      expect(() => textParameter(tree, name)).toThrow(`The parameter "${name}" must be one text.`)
      expect(looseTextParameter(tree, name)).toBeUndefined()
    }
    expect(looseTextParameter(tree, 'text')).toBe('3')
    expect(looseTextParameter(tree, 'none')).toBeUndefined()
  })
})
