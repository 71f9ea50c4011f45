import type { Field } from 'payload'
import { describe, expect, it } from 'vitest'
import { addFields } from '../../../src/payload/field-search.js'
import { deepFreeze } from '../../support/deep-freeze.js'

const text = (name: string, label?: string): Field => ({
  name,
  type: 'text',
  ...(label !== undefined && { label }),
})

describe('addFields', () => {
  it('puts ours behind those of the store', () => {
    expect(addFields([text('a')], [text('b'), text('c')])).toEqual([
      text('a'),
      text('b'),
      text('c'),
    ])
  })

  it('keeps a field that the store has already, wherever it is', () => {
    const existing: Field[] = [
      text('number', 'of the store'),
      {
        type: 'tabs',
        tabs: [{ label: 'Tab', fields: [{ type: 'row', fields: [text('gift', 'of the store')] }] }],
      },
    ]
    expect(addFields(existing, [text('number'), text('gift'), text('site')])).toEqual([
      ...existing,
      text('site'),
    ])
  })

  it('leaves out a field whose name says where the store keeps it', () => {
    const existing: Field[] = [{ name: 'details', type: 'group', fields: [text('code')] }]
    expect(addFields(existing, [text('details.code')])).toEqual(existing)
  })

  it('leaves out of a row what is there, and the row when nothing is left of it', () => {
    const ours: Field[] = [
      { type: 'row', fields: [text('a'), text('b')] },
      { type: 'collapsible', label: 'More', fields: [{ type: 'row', fields: [text('a')] }] },
    ]
    expect(addFields([text('a')], ours)).toEqual([text('a'), { type: 'row', fields: [text('b')] }])
  })

  it('changes nothing that it is given', () => {
    const existing = deepFreeze([text('a')])
    const ours = deepFreeze<Field[]>([{ type: 'row', fields: [text('a'), text('b')] }])
    expect(() => addFields(existing, ours)).not.toThrow()
    expect(existing).toEqual([text('a')])
  })
})
