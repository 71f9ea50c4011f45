'use client'

import { Banner, useConfig, useTranslation } from '@payloadcms/ui'
import { useState, type SubmitEvent } from 'react'
import type { OrderPreview as Preview } from '../../actions/order-export/preview-order.js'
import { orderPreviewPath } from '../../store/payload/overview/overview-paths.js'
import { apiUrl } from '../admin-urls.js'
import { translateBy } from '../translate.js'
import { WaitingButton } from '../waiting-button.js'
import { askShop, type ShopAnswer } from './ask-shop.js'
import { CopyButton } from './copy-button.js'
import { indentedXml } from './indented-xml.js'
import { TextBox } from './text-box.js'

/** The XML of an order as ShipStation would see it. */
export function OrderPreview() {
  const { config } = useConfig()
  const { t } = useTranslation()
  const translate = translateBy(t)
  const [reference, setReference] = useState('')
  const [answer, setAnswer] = useState<ShopAnswer<Preview>>()
  const [isBusy, setIsBusy] = useState(false)

  const look = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsBusy(true)
    const query = new URLSearchParams({ reference })
    const url = apiUrl(config, `${orderPreviewPath}?${query.toString()}`)
    setAnswer(await askShop<Preview>(url))
    setIsBusy(false)
  }

  const xml =
    answer && 'body' in answer && answer.body.is === 'exported' ? answer.body.xml : undefined

  return (
    <>
      <form onSubmit={(event) => void look(event)}>
        <TextBox
          change={setReference}
          label={translate('reference')}
          name="reference"
          value={reference}
        />
        <WaitingButton isBusy={isBusy} size="small" type="submit">
          {translate('overviewShowXml')}
        </WaitingButton>
      </form>
      <div aria-live="polite">{answer && <Outcome answer={answer} />}</div>
      {xml !== undefined && (
        <div className="storeconnect-overview__answer">
          <div>
            <CopyButton name="XML" text={xml} />
          </div>
          <pre aria-label="XML" role="region" tabIndex={0}>
            {indentedXml(xml)}
          </pre>
        </div>
      )}
    </>
  )
}

/** In a sentence, as it is read aloud. */
function Outcome({ answer }: { answer: ShopAnswer<Preview> }) {
  const { t } = useTranslation()
  const translate = translateBy(t)
  if ('problem' in answer) {
    return <Banner type="error">{answer.problem ?? translate('overviewUnanswered')}</Banner>
  }
  const preview = answer.body
  switch (preview.is) {
    case 'not-found':
      return <Banner type="error">{translate('overviewNoSuchOrder')}</Banner>
    case 'left-out':
      return (
        <Banner type="error">
          {translate('overviewLeftOut', { reference: preview.reference })}{' '}
          {preview.reasons.join(' ')}
        </Banner>
      )
    case 'exported':
      return <p>{translate('overviewXmlOf', { reference: preview.reference })}</p>
  }
}
