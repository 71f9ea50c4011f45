import type { Field } from 'payload'
import { describe, expect, it } from 'vitest'
import { addFields, findField, replaceField } from '../../../../src/core/payload/field-search.js'
import { deepFreeze } from '../../../support/deep-freeze.js'

const text = (name: string, extra: object = {}) => ({ name, type: 'text', ...extra }) as Field
const ofStore = { label: 'of the store' }

const fields = deepFreeze<Field[]>([
  text('plain'),
  { type: 'row', fields: [text('inRow')] },
  { type: 'collapsible', label: 'More', fields: [{ type: 'row', fields: [text('deepInRows')] }] },
  { type: 'group', fields: [text('inUnnamedGroup')] },
  { name: 'group', type: 'group', fields: [text('inside'), text('plain', { label: 'other' })] },
  { name: 'list', type: 'array', fields: [{ type: 'row', fields: [text('inList')] }] },
  {
    type: 'tabs',
    tabs: [
      { label: 'Unnamed', fields: [text('inTab'), { type: 'row', fields: [text('inTabRow')] }] },
      {
        name: 'named',
        fields: [text('code'), { name: 'sub', type: 'group', fields: [text('x')] }],
      },
    ],
  },
  { name: 'notice', type: 'ui', admin: {} },
])

const places = [
  'plain',
  'inRow',
  'deepInRows',
  'inUnnamedGroup',
  'group',
  'group.inside',
  'group.plain',
  'list.inList',
  'inTab',
  'inTabRow',
  'named.code',
  'named.sub.x',
]

describe('findField', () => {
  it.each(places)('finds %s, wherever the admin shows it', (path) => {
    expect(findField(fields, path)?.name).toBe(path.split('.').at(-1))
  })

  it('finds nothing elsewhere', () => {
    const nowhere = ['missing', 'inside', 'code', 'inList', 'plain.x', 'group.missing', '', '.']
    for (const path of [...nowhere, 'named.inTab']) expect(findField(fields, path)).toBeUndefined()
  })

  it('distinguishes fields of one name in different groups', () => {
    expect(findField(fields, 'plain')).not.toHaveProperty('label')
    expect(findField(fields, 'group.plain')).toHaveProperty('label', 'other')
  })
})

describe('replaceField', () => {
  it.each(places.filter((path) => path !== 'group'))(
    'replaces %s alone, and changes nothing it was given',
    (path) => {
      const replaced = replaceField(fields, path, (field) => ({ ...field, label: 'new' }))
      expect(findField(replaced, path)).toHaveProperty('label', 'new')
      expect(findField(fields, path)).not.toHaveProperty('label', 'new')
      expect(JSON.stringify(replaced).match(/"new"/g)).toHaveLength(1)
      for (const other of places.filter((place) => place !== path)) {
        expect(findField(replaced, other)).toBeDefined()
      }
    },
  )

  it('is a copy with the same fields when nothing is at the path', () => {
    const replaced = replaceField(fields, 'missing.x', () => text('never'))
    expect(replaced).toEqual(fields)
  })
})

describe('addFields', () => {
  it('puts ours behind those of the store, and keeps those that it has, wherever they are', () => {
    const existing = deepFreeze<Field[]>([
      text('number', ofStore),
      { type: 'tabs', tabs: [{ label: 'Tab', fields: [{ type: 'row', fields: [text('gift')] }] }] },
      { name: 'details', type: 'group', fields: [text('code')] },
    ])
    // The last one says where the store keeps it.
    const ours = ['number', 'gift', 'site', 'details.code'].map((name) => text(name))
    expect(addFields(existing, ours)).toEqual([...existing, text('site')])
  })

  it('leaves out of a row what is there, and the row when nothing is left of it', () => {
    const ours = deepFreeze<Field[]>([
      { type: 'row', fields: [text('a'), text('b')] },
      { type: 'collapsible', label: 'More', fields: [{ type: 'row', fields: [text('a')] }] },
    ])
    expect(addFields([text('a')], ours)).toEqual([text('a'), { type: 'row', fields: [text('b')] }])
  })
})
