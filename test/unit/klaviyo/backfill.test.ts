import { describe, expect, it } from 'vitest'
import { eventBody, eventsBody } from '../../../src/klaviyo/bodies.js'
import { anEvent, testTime } from '../../klaviyo/messages.js'

const live = anEvent({ event: { uniqueId: 'live' } })
const past = anEvent({ event: { uniqueId: 'past', backfill: true } })

describe('An event of long ago', () => {
  it('is marked, and one of now is not', () => {
    expect(eventBody(past, testTime).data.attributes).toMatchObject({ backfill: true })
    expect(eventBody(live, testTime).data.attributes).not.toHaveProperty('backfill')
  })

  it('goes together with others of long ago, each group marked as a whole', () => {
    const { body, itemsAt } = eventsBody([past, live, past], testTime)
    const { data } = body.data.attributes['events-bulk-create']
    expect(data.map(({ attributes }) => attributes.backfill)).toEqual([true, undefined])
    expect(
      data.map(({ attributes }) => attributes.events.data.map((one) => one.attributes.backfill)),
    ).toEqual([[true], [undefined]])
    expect(itemsAt('/data/attributes/events-bulk-create/data/1')).toEqual([1])
    expect(itemsAt('/data/attributes/events-bulk-create/data/0')).toEqual([0, 2])
  })
})
