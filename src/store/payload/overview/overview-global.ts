import type { Config, GlobalConfig } from 'payload'
import type { ResolvedOptions } from '../../../options/resolve-options.js'
import { adminsOnly, type IsAdmin } from '../admin-access.js'
import { adminGroup, label } from '../label.js'

export const overviewSlug = 'storeconnect'

interface OverviewAdminParts {
  isAdmin: IsAdmin
  options: ResolvedOptions
}

/**
 * The merchant's page. It is a global, as Payload has no other way to put a page among the links of
 * a group; nothing is ever saved in it.
 */
export const overviewGlobal = ({ isAdmin, options }: OverviewAdminParts): GlobalConfig => ({
  slug: overviewSlug,
  label: label('overview'),
  lockDocuments: false,
  admin: {
    group: adminGroup,
    hidden: !options.enabled,
    components: {
      views: {
        edit: {
          root: {
            Component: {
              path: 'payload-storeconnect/rsc#OverviewView',
              serverProps: {
                isAdmin,
                timezone: options.timezone,
                ordersSlug: options.collections.orders,
              },
            },
          },
        },
      },
    },
  },
  access: { read: adminsOnly(isAdmin), update: () => false },
  fields: [],
})

/** Puts the states of both platforms on the admin's first page. What the store has there stays. */
export function withDashboardCard(
  admin: Config['admin'],
  { isAdmin, options: { timezone } }: OverviewAdminParts,
): NonNullable<Config['admin']> {
  const { components } = admin ?? {}
  const refusal = { path: 'payload-storeconnect/rsc#RefusalNotice', serverProps: { isAdmin } }
  const card = {
    path: 'payload-storeconnect/rsc#DashboardCard',
    serverProps: { isAdmin, timezone },
  }
  return {
    ...admin,
    components: {
      ...components,
      beforeDashboard: [...(components?.beforeDashboard ?? []), refusal, card],
    },
  }
}
