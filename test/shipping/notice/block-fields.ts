import type { BlocksField, CollectionConfig, Field } from 'payload'
import type { StoreSetup } from '../../support/store-config.js'

const note = { name: 'note', type: 'text' } as const

/** A parcel with a link that is computed and never stored. */
const shipment: Field[] = [
  { name: 'carrier', type: 'text' },
  { name: 'service', type: 'text' },
  { name: 'trackingNumber', type: 'text' },
  {
    name: 'link',
    type: 'text',
    virtual: true,
    hooks: {
      afterRead: [
        ({ siblingData }) => `https://parcels.example/${String(siblingData.trackingNumber)}`,
      ],
    },
  },
]

const parcels = (name: string): BlocksField => ({
  name,
  type: 'blocks',
  blocks: [
    { slug: 'shipment', fields: shipment },
    { slug: 'remark', fields: [{ name: 'text', type: 'text' }] },
    {
      slug: 'crate',
      fields: [note, { name: 'seals', type: 'blocks', blocks: [{ slug: 'seal', fields: [note] }] }],
    },
  ],
})

/** A store that keeps blocks of the same types at many places of an order, in two languages. */
export const blockStore = (
  versions: NonNullable<CollectionConfig['versions']>,
): Pick<StoreSetup, 'config' | 'orders'> => ({
  config: { localization: { locales: ['en', 'de'], defaultLocale: 'en' } },
  orders: {
    versions,
    fields: [
      parcels('boxes'),
      { name: 'greeting', type: 'text', localized: true },
      { name: 'depot', type: 'group', fields: [note, parcels('boxes')] },
      {
        type: 'tabs',
        tabs: [
          { name: 'dispatch', fields: [note, parcels('boxes')] },
          { label: 'Returns', fields: [parcels('returns')] },
        ],
      },
      {
        name: 'abroad',
        type: 'blocks',
        localized: true,
        blocks: [
          { slug: 'posting', fields: shipment },
          { slug: 'customs', fields: [note] },
        ],
      },
      { name: 'labels', type: 'array', localized: true, fields: shipment },
      { name: 'legs', type: 'array', fields: [note, parcels('boxes')] },
    ],
  },
})
