'use client'

import { useState, type SubmitEvent } from 'react'
import { Notice } from '../notice.js'
import type { OrderReport } from '../../overview/overview-endpoints.js'
import { orderPreviewPath } from '../../overview/overview-paths.js'
import { useShop, type ShopAnswer } from '../use-shop.js'
import { useWords } from '../use-words.js'
import { WaitingButton } from '../waiting-button.js'
import { CopyButton } from './copy-button.js'
import { indentedXml } from './indented-xml.js'
import { TextBox } from './window-preview.js'

/** A form that shows the XML of an order as ShipStation would get it. */
export function OrderPreview() {
  const { translate } = useWords()
  const { ask, isBusy } = useShop()
  const [reference, setReference] = useState('')
  const [answer, setAnswer] = useState<ShopAnswer<OrderReport>>()

  const look = async (event: SubmitEvent) => {
    event.preventDefault()
    const query = new URLSearchParams({ reference })
    setAnswer(await ask<OrderReport>(`${orderPreviewPath}?${query.toString()}`))
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
        <WaitingButton isBusy={isBusy} type="submit">
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

/** The outcome as a sentence, for screen readers. */
function Outcome({ answer }: { answer: ShopAnswer<OrderReport> }) {
  const { translate } = useWords()
  if ('problem' in answer) {
    return <Notice type="error">{answer.problem ?? translate('overviewUnanswered')}</Notice>
  }
  const preview = answer.body
  switch (preview.is) {
    case 'not-found':
      return <Notice type="error">{translate('overviewNoSuchOrder')}</Notice>
    case 'left-out':
      return (
        <Notice type="error">
          {translate('overviewLeftOut', { reference: preview.reference })}{' '}
          {preview.reasons.map(({ message }) => message).join(' ')}
        </Notice>
      )
    case 'exported':
      return <p>{translate('overviewXmlOf', { reference: preview.reference })}</p>
  }
}
