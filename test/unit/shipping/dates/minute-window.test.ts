import { describe, expect, it } from 'vitest'
import { minuteWindow } from '../../../../src/shipping/export/select-orders.js'

const windowOf = (start: string, end: string) => {
  const { after, before } = minuteWindow({ start: new Date(start), end: new Date(end) })
  return { after: after.toISOString(), before: before.toISOString() }
}

describe('minuteWindow', () => {
  it('starts with the first minute and ends at second 59 of the last', () => {
    expect(windowOf('2026-03-10T14:30:27.123Z', '2026-03-10T15:45:31.999Z')).toEqual({
      after: '2026-03-10T14:30:00.000Z',
      before: '2026-03-10T15:45:59.000Z',
    })
  })

  it('leaves bounds alone that are there already', () => {
    expect(windowOf('2026-03-10T14:30:00Z', '2026-03-10T15:45:59Z')).toEqual({
      after: '2026-03-10T14:30:00.000Z',
      before: '2026-03-10T15:45:59.000Z',
    })
  })

  it('spans one minute when start and end are the same', () => {
    expect(windowOf('2026-03-10T14:30:59.999Z', '2026-03-10T14:30:59.999Z')).toEqual({
      after: '2026-03-10T14:30:00.000Z',
      before: '2026-03-10T14:30:59.000Z',
    })
  })

  it('floors dates before 1970 as well', () => {
    expect(windowOf('1969-12-31T23:58:30Z', '1969-12-31T23:59:30Z')).toEqual({
      after: '1969-12-31T23:58:00.000Z',
      before: '1969-12-31T23:59:59.000Z',
    })
  })

  it('does not change the dates it is given', () => {
    const start = new Date('2026-03-10T14:30:27Z')
    const end = new Date('2026-03-10T15:45:31Z')
    minuteWindow({ start, end })
    expect(start.toISOString()).toBe('2026-03-10T14:30:27.000Z')
    expect(end.toISOString()).toBe('2026-03-10T15:45:31.000Z')
  })
})
