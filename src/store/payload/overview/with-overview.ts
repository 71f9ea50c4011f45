import type { Config } from 'payload'
import type { ResolvedOptions } from '../../../options/resolve-options.js'
import { en } from '../../../translations/en.js'
import type { IsAdmin } from '../admin-access.js'
import { overviewPath } from './overview-path.js'

/** Adds the merchant's page to the admin, and the way to it. What the store has there stays. */
export function withOverview(
  admin: Config['admin'],
  { isAdmin, options }: { isAdmin: IsAdmin; options: ResolvedOptions },
): NonNullable<Config['admin']> {
  const { components } = admin ?? {}
  return {
    ...admin,
    components: {
      ...components,
      afterNavLinks: [
        ...(components?.afterNavLinks ?? []),
        { path: 'payload-storeconnect/rsc#OverviewLink', serverProps: { isAdmin } },
      ],
      beforeDashboard: [
        ...(components?.beforeDashboard ?? []),
        { path: 'payload-storeconnect/rsc#RefusalNotice', serverProps: { isAdmin } },
      ],
      views: {
        storeconnect: {
          path: overviewPath,
          exact: true,
          meta: { title: en.overview },
          Component: {
            path: 'payload-storeconnect/rsc#OverviewView',
            serverProps: {
              isAdmin,
              timezone: options.timezone,
              ordersSlug: options.collections.orders,
            },
          },
        },
        ...components?.views,
      },
    },
  }
}
