import { klaviyoListField } from 'payload-storeconnect'
import type { GlobalConfig } from 'payload'
import { isAdmin } from './access.ts'

/** What the merchant decides of the form at the foot of every page. */
export const Newsletter: GlobalConfig = {
  slug: 'newsletter',
  access: { read: isAdmin, update: isAdmin },
  fields: [
    klaviyoListField({
      name: 'list',
      label: 'List for the newsletter',
      admin: { description: 'Whoever signs up joins it. Without a list, pages have no form.' },
    }),
  ],
}
