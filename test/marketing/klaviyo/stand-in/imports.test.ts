import { describe, expect, it } from 'vitest'
import {
  anImport,
  aProfile,
  aStandIn,
  dataOf,
  listOf,
  paths,
  pointersOf,
} from './stand-in.fixture.js'

const people = (count: number) =>
  Array.from({ length: count }, (_, at) => aProfile({ email: `p${at}@shop.test` }))

async function jobOf(klaviyo: ReturnType<typeof aStandIn>, id: string) {
  return dataOf(await klaviyo.call(`${paths.profiles}/${id}`)).attributes
}

describe('A bulk import', () => {
  it('is a job that is queued, then processing, then complete', async () => {
    const klaviyo = aStandIn({ jobSeconds: 10 })
    const answer = await klaviyo.call(paths.profiles, { body: anImport(people(3), ['NEWSLTR']) })
    expect([answer.status, dataOf(answer).attributes]).toMatchObject([
      202,
      { status: 'queued', total_count: 3, completed_count: 0, failed_count: 0 },
    ])
    const { id } = dataOf(answer)
    expect(await jobOf(klaviyo, id)).toMatchObject({ status: 'processing', completed_at: null })
    expect(klaviyo.state.profiles.size).toBe(0)
    klaviyo.pass(10)
    expect(await jobOf(klaviyo, id)).toMatchObject({
      status: 'complete',
      completed_count: 3,
      completed_at: '2026-03-10T14:30:10.000+00:00',
    })
    expect(klaviyo.state.lists.get('NEWSLTR')?.members.size).toBe(3)
    expect(klaviyo.state.profileByEmail('p0@shop.test')?.consent).toEqual({})
  })

  it('takes what it can and lists the rest as errors, with what was posted', async () => {
    const klaviyo = aStandIn()
    for (const profile of [{ email: 'ada@shop.test' }, { phone_number: '+4369912345678' }]) {
      await klaviyo.call(paths.profile, { body: { data: aProfile(profile) } })
    }
    const two = { email: 'ada@shop.test', phone_number: '+4369912345678' }
    const { id } = dataOf(
      await klaviyo.call(paths.profiles, {
        body: anImport([
          aProfile(two),
          aProfile({ email: 'eve@shop.test' }, { id: 'X' }),
          ...people(1),
        ]),
      }),
    )
    klaviyo.settle()
    expect(await jobOf(klaviyo, id)).toMatchObject({
      status: 'complete',
      total_count: 3,
      completed_count: 1,
      failed_count: 2,
    })
    const errors = await klaviyo.call(`${paths.profiles}/${id}/import-errors`)
    expect(listOf(errors).map(({ attributes }) => attributes)).toMatchObject([
      {
        code: 'duplicate_profile',
        source: { pointer: '/data/attributes' },
        original_payload: two,
      },
      { code: 'not_found', source: { pointer: '/data/id' } },
    ])
  })

  it('is refused whole for one bad profile, whose place the pointer names', async () => {
    const klaviyo = aStandIn()
    const large = Array<string>(12).fill('x'.repeat(10_000))
    const body = anImport([
      ...people(2),
      aProfile({ phone_number: '1' }),
      aProfile({ email: 'ada@shop.test', properties: { large } }),
    ])
    const answer = await klaviyo.call(paths.profiles, { body })
    expect([answer.status, pointersOf(answer)]).toEqual([
      400,
      [
        '/data/attributes/profiles/data/2/attributes/phone_number',
        '/data/attributes/profiles/data/3',
      ],
    ])
    klaviyo.settle()
    expect(klaviyo.state.profiles.size).toBe(0)
  })
})
