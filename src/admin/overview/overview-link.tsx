import { createLocalReq, type ServerProps } from 'payload'
import type { IsAdmin } from '../../store/payload/admin-access.js'
import { overviewPath } from '../../store/payload/overview/overview-path.js'
import { adminUrl } from '../admin-urls.js'
import { translateBy } from '../translate.js'
import { NavLink } from './nav-link.js'

/** The way to the page, in the admin's navigation, for those who may see it. */
export async function OverviewLink({
  i18n,
  isAdmin,
  payload,
  user,
}: ServerProps & { isAdmin: IsAdmin }) {
  if (!user) return null
  const isShown = await isAdmin({ req: await createLocalReq({ user }, payload) })
  if (!isShown) return null
  return (
    <NavLink href={adminUrl(payload.config, overviewPath)}>
      {translateBy(i18n.t)('overview')}
    </NavLink>
  )
}
