import { describe, expect, it } from 'vitest'
import { klaviyoListField, klaviyoListsField } from '../../../src/marketing-settings/list-field.js'

const Field = 'payload-storeconnect/rsc#ListField'

describe('A field for lists', () => {
  it('holds one id, or several', () => {
    expect(klaviyoListField({ name: 'newsletter' })).toEqual({
      name: 'newsletter',
      type: 'text',
      admin: { components: { Field } },
    })
    expect(klaviyoListsField({ name: 'lists', maxRows: 3 })).toEqual({
      name: 'lists',
      type: 'text',
      hasMany: true,
      maxRows: 3,
      admin: { components: { Field } },
    })
  })

  it('keeps what the store says of it', () => {
    const admin = { position: 'sidebar', components: { Label: '/label' } } as const
    expect(klaviyoListField({ name: 'newsletter', required: true, admin })).toMatchObject({
      required: true,
      admin: { position: 'sidebar', components: { Field, Label: '/label' } },
    })
    expect(admin).toEqual({ position: 'sidebar', components: { Label: '/label' } })
  })
})
