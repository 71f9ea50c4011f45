import type { TextField } from 'payload'

type OneList = Extract<TextField, { hasMany?: false | undefined }>
type ManyLists = Extract<TextField, { hasMany: true }>

const component = 'payload-storeconnect/client#ListField'

/**
 * A field of any collection, global or block in which an admin picks one of Klaviyo's lists by its
 * name. Its value is the list's id, as `list` of a form that tracks takes it.
 *
 * @example
 * fields: [klaviyoListField({ name: 'newsletter', label: 'Newsletter of this page' })]
 */
export const klaviyoListField = (field: Omit<OneList, 'type' | 'hasMany'>): TextField => ({
  ...field,
  type: 'text',
  admin: { ...field.admin, components: { Field: component, ...field.admin?.components } },
})

/**
 * As `klaviyoListField`, for several lists. Its value is their ids, as `lists[]` of a form takes them.
 *
 * @example
 * fields: [klaviyoListsField({ name: 'lists', maxRows: 3 })]
 */
export const klaviyoListsField = (field: Omit<ManyLists, 'type' | 'hasMany'>): TextField => ({
  ...field,
  type: 'text',
  hasMany: true,
  admin: { ...field.admin, components: { Field: component, ...field.admin?.components } },
})
