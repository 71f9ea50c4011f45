import type { Config, GlobalConfig } from 'payload'
import type { IsAdmin } from '../../core/payload/admin-access.js'
import { adminGroup, label } from '../../core/payload/label.js'

export const overviewSlug = 'storeconnect'

/** What the pages of the admin get. */
export interface AdminPageProps {
  isAdmin: IsAdmin
  timezone: string
}

/** A global, because Payload lists no other page in a group of the navigation. Nothing is saved in it. */
export const overviewGlobal = ({
  isAdmin,
  timezone,
  ordersSlug,
  paymentsSlug,
  isHidden,
}: AdminPageProps & {
  ordersSlug: string
  paymentsSlug: string
  isHidden: boolean
}): GlobalConfig => ({
  slug: overviewSlug,
  label: label('overview'),
  lockDocuments: false,
  versions: false,
  admin: {
    group: adminGroup,
    hidden: isHidden,
    components: {
      views: {
        edit: {
          root: {
            Component: {
              path: 'payload-storeconnect/rsc#OverviewView',
              serverProps: { isAdmin, timezone, ordersSlug, paymentsSlug },
            },
          },
        },
      },
    },
  },
  access: { read: isAdmin, update: () => false },
  fields: [],
})

/** Adds the states of both integrations to the dashboard, below the store's own components. */
export function withDashboardCard(
  admin: Config['admin'],
  serverProps: AdminPageProps,
): NonNullable<Config['admin']> {
  const { components } = admin ?? {}
  const card = { path: 'payload-storeconnect/rsc#DashboardCard', serverProps: { ...serverProps } }
  return {
    ...admin,
    components: {
      ...components,
      beforeDashboard: [...(components?.beforeDashboard ?? []), card],
    },
  }
}
