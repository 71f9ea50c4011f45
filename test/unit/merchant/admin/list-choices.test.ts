import { describe, expect, it } from 'vitest'
import {
  choicesOf,
  idsOf,
  pickedOf,
  type ListAnswer,
} from '../../../../src/merchant/admin/list-choices.js'

const known = (lists: { id: string; name: string }[], isComplete = true): ListAnswer => ({
  is: 'known',
  readAt: '2026-03-10T12:00:00.000Z',
  lists,
  isComplete,
})

const newsletter = { id: 'NEWS', name: 'Newsletter' }
const gone = (id: string) => `${id} is gone`

describe('The choices of a list field', () => {
  it('distinguish lists of the same name, or of none, by their ids', () => {
    const lists = [newsletter, { id: 'OTHER', name: 'Newsletter' }, { id: 'BLANK', name: ' ' }]
    expect(choicesOf(known(lists)).map(({ label }) => label)).toEqual([
      'Newsletter (NEWS)',
      'Newsletter (OTHER)',
      '(BLANK)',
    ])
  })

  it.each([undefined, { is: 'no-key' }, { is: 'forbidden' }, { is: 'unanswered' }] as const)(
    'are none without an answer (%o), and what was picked stays',
    (answer) => {
      expect(choicesOf(answer)).toEqual([])
      expect(pickedOf(['NEWS'], answer, gone)).toEqual([{ value: 'NEWS', label: 'NEWS' }])
    },
  )

  it('keep a list that the platform has no more, and say so unless it may be among those not read', () => {
    expect(pickedOf(['NEWS', 'OLD'], known([newsletter]), gone)).toEqual([
      { value: 'NEWS', label: 'Newsletter' },
      { value: 'OLD', label: 'OLD is gone' },
    ])
    const partly = known([newsletter], false)
    expect(pickedOf(['OLD'], partly, gone)).toEqual([{ value: 'OLD', label: 'OLD' }])
  })
})

it('A field holds the ids of texts alone', () => {
  const values = ['NEWS', ['NEWS', 'WELCOME'], '', null, undefined, [null, 'NEWS', 7]]
  expect(values.map(idsOf)).toEqual([['NEWS'], ['NEWS', 'WELCOME'], [], [], [], ['NEWS']])
})
