import { FieldLabel, Link } from '@payloadcms/ui'
import type { UIFieldServerProps } from 'payload'
import { installedIn } from '../installation.js'
import type { IsAdmin } from '../payload/admin-access.js'
import { pullsSlug } from '../shipping/pull-collection.js'
import { adminUrl } from './admin-urls.js'
import { createWords } from './words.js'

interface OrderPullsProps extends UIFieldServerProps {
  isAdmin: IsAdmin
  timezone: string
}

/** On the page of an order: the pulls that have sent it to ShipStation, the newest first. */
export async function OrderPulls(props: OrderPullsProps) {
  const { id, i18n, isAdmin, payload, req, timezone } = props
  const parts = installedIn(payload)
  if (id === undefined || parts === undefined || !(await isAdmin({ req }))) return null
  const pulls = await parts.pullsOfOrder(id)
  const { translate, moment } = createWords(i18n, timezone)

  return (
    <div className="field-type storeconnect-order-pulls">
      <FieldLabel as="span" label={translate('orderPulls')} />
      {pulls.length === 0 ? (
        <p>{translate('orderPullsNone')}</p>
      ) : (
        <ul>
          {pulls.map(({ pull, at, page, pages }) => (
            <li key={pull}>
              <Link href={adminUrl(payload.config, `/collections/${pullsSlug}/${pull}`)}>
                <time dateTime={at.toISOString()}>{moment(at)}</time>
              </Link>
              {translate('orderPullsPage', { page: String(page), pages: String(pages) })}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
