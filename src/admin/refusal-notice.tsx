import { Banner } from '@payloadcms/ui'
import { createLocalReq, type ServerProps } from 'payload'
import { refusalOf } from '../installation.js'
import type { IsAdmin } from '../store/payload/admin-access.js'

/** On top of the dashboard, for admins: why Storeconnect does not work on the store's database. */
export async function RefusalNotice({
  isAdmin,
  payload,
  user,
}: ServerProps & { isAdmin: IsAdmin }) {
  const refusal = refusalOf(payload)
  if (refusal === undefined || !user) return null
  const isShown = await isAdmin({ req: await createLocalReq({ user }, payload) })
  return isShown ? <Banner type="error">{refusal}</Banner> : null
}
