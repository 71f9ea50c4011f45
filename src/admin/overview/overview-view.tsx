import { DefaultTemplate } from '@payloadcms/next/templates'
import { Banner, Gutter, SetStepNav } from '@payloadcms/ui'
import { redirect } from 'next/navigation.js'
import type { AdminViewServerProps } from 'payload'
import { partsOf, refusalOf } from '../../installation.js'
import type { IsAdmin } from '../../store/payload/admin-access.js'
import { adminUrl } from '../admin-urls.js'
import { OverviewPage } from './overview-page.js'
import { overviewPath } from '../../store/payload/overview/overview-path.js'
import { createWords } from './words.js'

export interface OverviewViewProps extends AdminViewServerProps {
  isAdmin: IsAdmin
  /** Of the shop. */
  timezone: string
  ordersSlug: string
}

/** Whether the platforms are connected, and what a merchant has to do. Admins only. */
export async function OverviewView(props: OverviewViewProps) {
  const { initPageResult, isAdmin, ordersSlug, params, searchParams, timezone, viewActions } = props
  const { locale, permissions, req, visibleEntities } = initPageResult
  const { i18n, payload, user } = req
  // Payload leaves it to a view of one's own who may see it.
  if (!(await isAdmin({ req }))) redirect(placeOfStrangers(props))
  const refusal = refusalOf(payload)
  const words = createWords(i18n, timezone)
  return (
    <DefaultTemplate
      i18n={i18n}
      {...(locale && { locale })}
      {...(params && { params })}
      payload={payload}
      permissions={permissions}
      req={req}
      {...(searchParams && { searchParams })}
      {...(user && { user })}
      {...(viewActions && { viewActions })}
      visibleEntities={{
        // Not the object itself: React 19 freezes what Payload writes to.
        collections: visibleEntities.collections,
        globals: visibleEntities.globals,
      }}
    >
      <SetStepNav nav={[{ label: words.translate('overview') }]} />
      <Gutter>
        {refusal === undefined ? (
          <OverviewPage {...{ ordersSlug, parts: partsOf(payload), req, words }} />
        ) : (
          <Banner type="error">{refusal}</Banner>
        )}
      </Gutter>
    </DefaultTemplate>
  )
}

/** Who is logged in reads that this is not for him, anybody else is to log in. */
function placeOfStrangers({ initPageResult: { req } }: OverviewViewProps): string {
  const { config } = req.payload
  const { login, unauthorized } = config.admin.routes
  if (req.user) return adminUrl(config, unauthorized)
  const redirectTo = adminUrl(config, overviewPath)
  return `${adminUrl(config, login)}?redirect=${encodeURIComponent(redirectTo)}`
}
