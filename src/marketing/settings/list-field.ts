import type { TextField } from 'payload'

type OneList = Extract<TextField, { hasMany?: false | undefined }>
type ManyLists = Extract<TextField, { hasMany: true }>

/** The path below Payload's API route. It stands here because the browser needs it too. */
export const listEndpointPath = '/storeconnect/lists'

/** The component of a field that picks a list. */
export const listComponent = 'payload-storeconnect/rsc#ListField'

/**
 * A field for any collection, global or block, in which an admin picks one of Klaviyo's lists by name.
 * Its value is the list's id, which a form that tracks posts as `list`.
 *
 * @example
 * fields: [klaviyoListField({ name: 'newsletter', label: 'Newsletter of this page' })]
 */
export const klaviyoListField = (field: Omit<OneList, 'type' | 'hasMany'>): TextField => ({
  ...field,
  type: 'text',
  admin: { ...field.admin, components: { Field: listComponent, ...field.admin?.components } },
})

/**
 * Like `klaviyoListField`, for several lists. Its value is their ids, which a form posts as `lists[]`.
 *
 * @example
 * fields: [klaviyoListsField({ name: 'lists', maxRows: 3 })]
 */
export const klaviyoListsField = (field: Omit<ManyLists, 'type' | 'hasMany'>): TextField => ({
  ...field,
  type: 'text',
  hasMany: true,
  admin: { ...field.admin, components: { Field: listComponent, ...field.admin?.components } },
})
