import type { Config, GlobalConfig } from 'payload'
import type { IsAdmin } from '../../core/payload/admin-access.js'
import { adminGroup, label } from '../../core/payload/label.js'

export const overviewSlug = 'storeconnect'

/** What the pages of the admin get. */
export interface AdminPageProps {
  isAdmin: IsAdmin
  timezone: string
}

/** The collections of the store to which the overview leads. */
export interface OverviewSlugs {
  ordersSlug: string
  paymentsSlug: string
  sitesSlug: string
}

export type OverviewProps = AdminPageProps & OverviewSlugs

/** A global, because Payload lists no other page in a group of the navigation. Nothing is saved in it. */
export const overviewGlobal = ({
  isAdmin,
  isHidden,
  ...props
}: OverviewProps & { isHidden: boolean }): GlobalConfig => ({
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
              serverProps: { isAdmin, ...props },
            },
          },
        },
      },
    },
  },
  access: { read: isAdmin, update: () => false },
  fields: [],
})

/** Adds what is to do, and the states of both integrations, to the dashboard, below the store's own components. */
export function withDashboardCard(
  admin: Config['admin'],
  serverProps: OverviewProps,
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
