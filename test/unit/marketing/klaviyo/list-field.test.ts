import { expect, it } from 'vitest'
import {
  klaviyoListField,
  klaviyoListsField,
} from '../../../../src/marketing/settings/list-field.js'

it('A field for lists holds one id, or several, and keeps what the store says of it', () => {
  const Field = 'payload-storeconnect/rsc#ListField'
  const admin = { position: 'sidebar', components: { Label: '/label' } } as const
  expect(klaviyoListField({ name: 'newsletter', required: true, admin })).toEqual({
    name: 'newsletter',
    type: 'text',
    required: true,
    admin: { position: 'sidebar', components: { Field, Label: '/label' } },
  })
  expect(admin.components).toEqual({ Label: '/label' })
  expect(klaviyoListsField({ name: 'lists', maxRows: 3 })).toEqual({
    name: 'lists',
    type: 'text',
    hasMany: true,
    maxRows: 3,
    admin: { components: { Field } },
  })
})
