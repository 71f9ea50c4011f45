import { describe, expect, it } from 'vitest'
import { jobOutcomes } from '../../../../src/marketing/catalog/job-outcomes.js'
import { isComparisonDue } from '../../../../src/marketing/catalog/catalog-progress.js'
import { digestOf } from '../../../../src/marketing/catalog/catalog-entries.js'

const entry = (more: Partial<Parameters<typeof jobOutcomes>[0][number]> = {}) => ({
  id: 'item:7',
  kind: 'item' as const,
  tries: 0,
  size: 100,
  ...more,
})
const error = { code: 'invalid', detail: 'No.' }
const common = { id: 'item:7', job: 'j', size: 100, tries: 0, error: null }
const again = { ...common, state: 'ask' }
const done = { ...common, state: 'done' }
const refused = { ...common, state: 'refused', tries: 2, error: JSON.stringify(error) }

describe('What becomes of the entries of a job', () => {
  it('a first refusal of one is asked about, and the others are done', () => {
    const errors = [{ place: 1, error }]
    const outcomes = jobOutcomes([entry(), entry(), entry()], { job: 'j', failed: 1, errors })
    expect(outcomes).toEqual([done, { ...again, tries: 1 }, done])
  })

  it('the second refusal in a row counts', () => {
    const errors = [{ place: 0, error }]
    expect(jobOutcomes([entry({ tries: 1 })], { job: 'j', failed: 1, errors })).toEqual([refused])
  })

  it('where more failed than the errors name, the others go again in tenths', () => {
    const errors = [{ place: 0, error }]
    const outcomes = jobOutcomes([entry({ tries: 1 }), entry()], { job: 'j', failed: 2, errors })
    expect(outcomes).toEqual([refused, { ...again, size: 10 }])
    const unnamed = [{ place: undefined, error }]
    const alone = entry({ tries: 1, size: 1 })
    for (const said of [unnamed, []])
      expect(jobOutcomes([alone], { job: 'j', failed: 1, errors: said })).toMatchObject([
        { state: 'refused' },
      ])
  })

  it('a job that was refused as a whole has done nothing for the others', () => {
    const errors = [{ place: 0, error }]
    const about = { job: 'j', failed: 2, errors, isWhole: true }
    expect(jobOutcomes([entry(), entry()], about)).toEqual([{ ...again, tries: 1 }, again])
  })

  it('a category that is there already is done, and another error refuses it', () => {
    const category = { ...entry(), kind: 'category' as const }
    const outcomesOf = (code: string, detail: string) => {
      const errors = [{ place: 0, error: { code, detail } }]
      return jobOutcomes([category], { job: 'j', failed: 1, errors })
    }
    expect(outcomesOf('duplicate_category', 'No.')).toEqual([done])
    expect(outcomesOf('invalid', 'This already exists.')).toEqual([done])
    expect(outcomesOf('invalid', 'No.')).toMatchObject([{ state: 'refused' }])
  })
})

describe('The comparison of the night', () => {
  it.each([
    ['never compared', undefined, '2026-11-02T10:00:00Z', true],
    ['compared after three of this morning', '2026-11-02T02:10:00Z', '2026-11-02T10:00:00Z', false],
    ['compared before three of this morning', '2026-11-02T01:50:00Z', '2026-11-02T10:00:00Z', true],
    ['the night has not come yet', '2026-11-01T02:10:00Z', '2026-11-02T01:59:00Z', false],
    ['the clock was set back', '2026-11-05T02:10:00Z', '2026-11-02T10:00:00Z', true],
  ])('%s', (...[, compared, now, isDue]) => {
    const comparedAt = compared === undefined ? undefined : new Date(compared)
    const about = { now: new Date(now), timezone: 'Europe/Vienna' }
    expect(isComparisonDue({ comparedAt }, about)).toBe(isDue)
  })
})

it('an entry is the same whatever the order of its metadata, and whatever else Klaviyo says', () => {
  const ours = { title: 'Tea', custom_metadata: { a: 1, b: 2 } }
  const theirs = { custom_metadata: { b: 2, a: 1 }, title: 'Tea', price: null, created: 'now' }
  expect(digestOf('item', ours)).toBe(digestOf('item', theirs))
  expect(digestOf('item', ours)).not.toBe(digestOf('item', { ...ours, price: 1 }))
})
