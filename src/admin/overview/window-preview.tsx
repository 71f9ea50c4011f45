'use client'

import { Banner, useConfig, useTranslation } from '@payloadcms/ui'
import { useState, type SubmitEvent } from 'react'
import type { WindowReport } from '../../store/payload/overview/overview-endpoints.js'
import { windowPreviewPath } from '../../store/payload/overview/overview-paths.js'
import { apiUrl } from '../admin-urls.js'
import { translateBy } from '../translate.js'
import { WaitingButton } from '../waiting-button.js'
import { askShop, type ShopAnswer } from './ask-shop.js'
import { MatchedOrders, MatchedSummary } from './matched-orders.js'
import { TextBox } from './text-box.js'

interface WindowPreviewProps {
  /** Of the list of orders. */
  ordersUrl: string
  /** Whether the settings name a field that tells stores apart. */
  hasStores: boolean
}

/** Which orders ShipStation would get for a window. */
export function WindowPreview({ ordersUrl, hasStores }: WindowPreviewProps) {
  const { config } = useConfig()
  const { t } = useTranslation()
  const translate = translateBy(t)
  const [asked, setAsked] = useState({ start_date: '', end_date: '', store: '' })
  const [answer, setAnswer] = useState<ShopAnswer<WindowReport>>()
  const [isBusy, setIsBusy] = useState(false)

  const look = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsBusy(true)
    const query = new URLSearchParams(asked)
    const url = apiUrl(config, `${windowPreviewPath}?${query.toString()}`)
    setAnswer(await askShop<WindowReport>(url))
    setIsBusy(false)
  }
  const field = (name: keyof typeof asked, label: string) => (
    <TextBox
      change={(value) => setAsked((before) => ({ ...before, [name]: value }))}
      label={label}
      name={name}
      value={asked[name]}
    />
  )

  return (
    <>
      <form onSubmit={(event) => void look(event)}>
        <div className="storeconnect-overview__fields">
          {field('start_date', translate('overviewStart'))}
          {field('end_date', translate('overviewEnd'))}
          {hasStores && field('store', translate('overviewStore'))}
        </div>
        <WaitingButton isBusy={isBusy} size="small" type="submit">
          {translate('overviewShowMatches')}
        </WaitingButton>
      </form>
      <div aria-live="polite" className="storeconnect-overview__answer">
        {answer &&
          ('problem' in answer ? (
            <Banner type="error">{answer.problem ?? translate('overviewUnanswered')}</Banner>
          ) : (
            <MatchedSummary report={answer.body} />
          ))}
      </div>
      {answer && 'body' in answer && <MatchedOrders ordersUrl={ordersUrl} report={answer.body} />}
    </>
  )
}
