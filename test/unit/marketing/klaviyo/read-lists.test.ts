import { describe, expect, it } from 'vitest'
import { answering, json, problem } from './answering.js'

const list = (id: string, name: string) => ({ type: 'list', id, attributes: { name } })

const page = (lists: ReturnType<typeof list>[], next: string | null = null) =>
  json(200, { data: lists, links: { self: 'https://klaviyo.test/api/lists', next, prev: null } })

describe('Reading the lists of the account', () => {
  it('follows the pages, sorts by name, and calls no address that an answer names', async () => {
    const { klaviyo, asked, options } = answering(
      page([list('B', 'Welcome')], 'https://evil.test/steal?page%5Bcursor%5D=two'),
      page([list('A', 'Newsletter')]),
    )
    expect(await klaviyo.lists(options)).toEqual({
      isComplete: true,
      lists: [
        { id: 'A', name: 'Newsletter' },
        { id: 'B', name: 'Welcome' },
      ],
    })
    expect(asked.map(({ url }) => [url.origin, url.searchParams.get('page[cursor]')])).toEqual([
      ['https://klaviyo.test', null],
      ['https://klaviyo.test', 'two'],
    ])
    expect(asked[0]?.url.searchParams.get('fields[list]')).toBe('name')
  })

  it.each(['nonsense', '', 'https://klaviyo.test/api/lists'])(
    'ends where the next page has no cursor: "%s"',
    async (next) => {
      const { klaviyo, options } = answering(page([list('A', 'Newsletter')], next))
      expect(await klaviyo.lists(options)).toMatchObject({ isComplete: true })
    },
  )

  it('gives up after a hundred pages, and says that there are more', async () => {
    const more = () => page([list('A', 'Newsletter')], 'https://klaviyo.test/?page%5Bcursor%5D=x')
    const { klaviyo, asked, options } = answering(...Array.from({ length: 101 }, () => more))
    expect(await klaviyo.lists(options)).toMatchObject({
      isComplete: false,
      lists: [{ id: 'A', name: 'Newsletter' }],
    })
    expect(asked).toHaveLength(100)
  })

  it.each([
    [problem(401, undefined), { is: 'misconfigured', error: { status: 401 } }],
    [problem(403, undefined), { is: 'misconfigured', error: { status: 403 } }],
    [problem(429, undefined), { is: 'later', error: { status: 429 }, costsAttempt: false }],
    [new Error('reset'), { is: 'later', error: { code: 'NETWORK' } }],
    [json(200, { data: 'none' }), { is: 'later', error: { code: 'UNREADABLE_ANSWER' } }],
  ])('returns no half of the lists when a page fails (%#)', async (answer, failed) => {
    const { klaviyo, options } = answering(
      page([list('A', 'Newsletter')], 'https://klaviyo.test/api/lists?page%5Bcursor%5D=two'),
      answer,
    )
    const read = await klaviyo.lists(options)
    expect(read).toMatchObject({ failed })
    expect(read).not.toHaveProperty('lists')
  })
})
