import { Banner, Gutter, SetStepNav } from '@payloadcms/ui'
import { notFound } from 'next/navigation.js'
import type { DocumentViewServerProps } from 'payload'
import { partsOf, refusalOf } from '../../installation.js'
import type { IsAdmin } from '../../store/payload/admin-access.js'
import { OverviewPage } from './overview-page.js'
import { createWords } from './words.js'

export interface OverviewViewProps extends DocumentViewServerProps {
  isAdmin: IsAdmin
  /** Of the shop. */
  timezone: string
  ordersSlug: string
}

/** Whether the platforms work, and what a merchant has to do. Admins only. */
export async function OverviewView(props: OverviewViewProps) {
  const { initPageResult, isAdmin, ordersSlug, timezone } = props
  const { req } = initPageResult
  if (!(await isAdmin({ req }))) notFound()
  const refusal = refusalOf(req.payload)
  const words = createWords(req.i18n, timezone)
  return (
    <>
      <SetStepNav nav={[{ label: words.translate('overview') }]} />
      <Gutter>
        {refusal === undefined ? (
          <OverviewPage {...{ ordersSlug, parts: partsOf(req.payload), req, words }} />
        ) : (
          <Banner type="error">{refusal}</Banner>
        )}
      </Gutter>
    </>
  )
}
