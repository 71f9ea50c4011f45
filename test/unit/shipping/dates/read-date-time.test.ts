import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { readDateTime } from '../../../../src/shipping/dates/read-date-time.js'
import { phpAnswers } from './read-date-time.fixture.js'

const inBerlin = { timezone: 'Europe/Berlin', now: new Date('2026-03-11T13:14:15.678Z') }

const read = (text: string, context = inBerlin) => readDateTime(text, context)?.toISOString()

const withoutZeroMilliseconds = (date: Date | undefined) =>
  date?.toISOString().replace('.000Z', 'Z') ?? null

describe.each(phpAnswers)('at $now in $timezone', ({ timezone, now, answers }) => {
  const context = { timezone, now: new Date(now) }

  it.each(Object.entries(answers))('reads %j as PHP does: %s', (text, expected) => {
    expect(withoutZeroMilliseconds(readDateTime(text, context))).toBe(expected)
  })
})

describe('where it differs from PHP on purpose', () => {
  it.each(['', ' ', ' \t\n', '\u00a0'])('refuses the blank text %j', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it('reads 200 characters and refuses 201', () => {
    expect(read(`2026-03-10${' '.repeat(190)}`)).toBe('2026-03-09T23:00:00.000Z')
    expect(read(`2026-03-10${' '.repeat(191)}`)).toBeUndefined()
  })

  it.each(['+275761-01-01', '+9999999999999 days', '@99999999999999', '-9999-01-01 -400000 years'])(
    'refuses %j, a date that JavaScript does not have',
    (text) => {
      expect(read(text)).toBeUndefined()
    },
  )

  it.each(['UTC @0', '2026-03-10 +02:00 @0'])('refuses %j, a zone before a timestamp', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it.each(['20260310T14300', '20260310T43000'])('refuses %j, where a digit is missing', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it.each(['14:30 LST', '14:30 PMT', '14:30 NZ', '14:30 ROK'])(
    'does not know the zone of %j',
    (text) => {
      expect(read(text)).toBeUndefined()
    },
  )

  it('reads "Back of 7pm" like "back of 7pm"', () => {
    expect(read('Back of 7pm')).toBe('2026-03-11T18:15:00.000Z')
  })

  it.each([
    { text: 'Mar 10 14.30.15', expected: '2026-03-10T13:30:15.000Z' },
    { text: '20260310T14:30:00.5', expected: '2026-03-10T13:30:00.500Z' },
    { text: '2026-3-1T14:30:00.5', expected: '2026-03-01T13:30:00.500Z' },
  ])('reads $text', ({ text, expected }) => {
    expect(read(text)).toBe(expected)
  })
})

describe('the present moment', () => {
  it('keeps its milliseconds when no time is given', () => {
    expect(read('now')).toBe('2026-03-11T13:14:15.678Z')
    expect(read('+1 day')).toBe('2026-03-12T13:14:15.678Z')
    expect(read('today 14:30')).toBe('2026-03-11T13:30:00.000Z')
  })

  it('is not changed by reading', () => {
    const now = new Date('2026-03-11T13:14:15.678Z')
    readDateTime('+1 week 2 days', { ...inBerlin, now })
    expect(now.toISOString()).toBe('2026-03-11T13:14:15.678Z')
  })

  it('gives nothing when it is no date, or its time zone does not exist', () => {
    expect(read('now', { ...inBerlin, now: new Date(NaN) })).toBeUndefined()
    expect(read('now', { ...inBerlin, timezone: 'Mars/Phobos' })).toBeUndefined()
  })
})

describe('any text', () => {
  const processTimezone = process.env['TZ']

  afterEach(() => {
    if (processTimezone === undefined) delete process.env['TZ']
    else process.env['TZ'] = processTimezone
  })

  const knownTexts = phpAnswers.flatMap(({ answers }) => Object.keys(answers))
  const words = fc.constantFrom(
    ...new Set(knownTexts.flatMap((text) => text.split(/(?<=[\s,:./+-])|(?=[\s,:./+-])/))),
  )
  const nearlyDates = fc.array(words, { maxLength: 12 }).map((parts) => parts.join(''))
  const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 220 }), nearlyDates)

  it('is read to a real date or to nothing, and never throws', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const instant = readDateTime(text, inBerlin)
        expect(instant === undefined || Number.isFinite(instant.getTime())).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('is read the same whatever the time zone of the process', () => {
    const readIn = (processZone: string, text: string) => {
      process.env['TZ'] = processZone
      expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(processZone)
      return readDateTime(text, inBerlin)?.getTime()
    }
    fc.assert(
      fc.property(anyText, (text) => {
        const inUtc = readIn('UTC', text)
        expect(readIn('America/New_York', text)).toBe(inUtc)
        expect(readIn('Pacific/Chatham', text)).toBe(inUtc)
      }),
      { numRuns: 500 },
    )
  })

  it('is read the same in capitals, small letters and between blanks when it is relative', () => {
    const relative = fc.constantFrom(
      ...['tomorrow 3pm', 'last monday', 'first day of next month', '2 weeks ago', 'noon', '5 may'],
    )
    fc.assert(
      fc.property(relative, fc.stringMatching(/^[ \t\n]{0,9}$/), (text, blanks) => {
        const expected = read(text)
        expect(expected).toBeDefined()
        expect(read(text.toUpperCase())).toBe(expected)
        expect(read(blanks + text + blanks)).toBe(expected)
      }),
    )
  })

  it('is refused unread when it is 64 KB long', () => {
    const longTexts = nearlyDates.filter((text) => text !== '').map((text) => text.repeat(65_536))
    fc.assert(
      fc.property(longTexts, (text) => {
        expect(readDateTime(text.slice(0, 65_536), inBerlin)).toBeUndefined()
      }),
      { numRuns: 50 },
    )
  })
})
