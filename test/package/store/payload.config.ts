import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { ecommercePlugin } from '@payloadcms/plugin-ecommerce'
import { storeConnect } from 'payload-storeconnect'
import { markedAsPast, orderProperties, productUrl, statusEvents, withoutPhone } from './events.ts'
import { buildConfig, type Access, type FieldAccess } from 'payload'

const isStaff: FieldAccess = ({ req }) => req.user?.collection === 'staff'
const isStaffMember: Access = ({ req }) => req.user?.collection === 'staff'

/** The least that a shop needs: the extension, with people who buy and people who work there. */
export default buildConfig({
  secret: process.env.PAYLOAD_SECRET ?? '',
  serverURL: 'https://shop.example',
  telemetry: false,
  admin: { user: 'staff' },
  logger: { options: { level: 'error' } },
  db: sqliteAdapter({ client: { url: 'file:./store.db' } }),
  collections: [
    { slug: 'staff', auth: true, fields: [] },
    { slug: 'shoppers', auth: true, fields: [] },
  ],
  plugins: [
    ecommercePlugin({
      access: {
        adminOnlyFieldAccess: isStaff,
        adminOrPublishedStatus: isStaffMember,
        isAdmin: isStaffMember,
        isDocumentOwner: ({ req }) => (req.user ? { customer: { equals: req.user.id } } : false),
      },
      customers: { slug: 'shoppers' },
      products: true,
    }),
    storeConnect({
      shipping: { settings: { username: 'ship', password: '$SHIPSTATION_PASSWORD' } },
      productUrl,
      marketing: {
        delivery: 'task',
        apiUrl: process.env.KLAVIYO_URL ?? 'https://a.klaviyo.com',
        settings: { privateApiKey: '$KLAVIYO_API_KEY', statusEvents },
        beforeProfile: withoutPhone,
        beforeEvent: markedAsPast,
        orderProperties,
      },
    }),
  ],
})
