'use client'

import { useState, type SubmitEvent } from 'react'
import { Link, TextInput } from '@payloadcms/ui'
import { Notice } from '../notice.js'
import type { OrderReport, WindowReport } from '../../overview/overview-endpoints.js'
import { orderPreviewPath, windowPreviewPath } from '../../overview/overview-paths.js'
import { useShop, type ShopAnswer } from '../use-shop.js'
import { useWords } from '../use-words.js'
import { WaitingButton, CopyButton } from '../buttons.js'
import { indentedXml } from './indented-xml.js'
import { RowsTable } from './section.js'

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

interface WindowPreviewProps {
  ordersUrl: string
  /** Whether the settings name a store field. */
  hasStores: boolean
}

/** A form that shows which orders ShipStation would get between two dates. */
export function WindowPreview({ ordersUrl, hasStores }: WindowPreviewProps) {
  const { translate } = useWords()
  const { ask, isBusy } = useShop()
  const [asked, setAsked] = useState({ start_date: '', end_date: '', store: '' })
  const [answer, setAnswer] = useState<ShopAnswer<WindowReport>>()

  const look = async (event: SubmitEvent) => {
    event.preventDefault()
    const query = new URLSearchParams(asked)
    setAnswer(await ask<WindowReport>(`${windowPreviewPath}?${query.toString()}`))
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
        <WaitingButton isBusy={isBusy} type="submit">
          {translate('overviewShowMatches')}
        </WaitingButton>
      </form>
      <div aria-live="polite" className="storeconnect-overview__answer">
        {answer &&
          ('problem' in answer ? (
            <Notice type="error">{answer.problem ?? translate('overviewUnanswered')}</Notice>
          ) : (
            <MatchedSummary report={answer.body} />
          ))}
      </div>
      {answer && 'body' in answer && <OrderMatches ordersUrl={ordersUrl} report={answer.body} />}
    </>
  )
}

/** How many orders are between the two dates, and how the dates were read. */
function MatchedSummary({ report }: { report: WindowReport }) {
  const { window, timezone, total, pages } = report
  const { translate, counted, moment } = useWords(timezone)

  return (
    <>
      {window === undefined && <Notice type="info">{translate('overviewAllTimes')}</Notice>}
      <p>
        {window &&
          `${translate('overviewBetween', {
            after: moment(new Date(window.after)),
            before: moment(new Date(window.before)),
            timezone,
          })} `}
        {translate('overviewMatches', {
          orders: counted('overviewOrders', total),
          pages: counted('overviewPages', pages),
        })}
      </p>
    </>
  )
}

function OrderMatches({ report, ordersUrl }: { report: WindowReport; ordersUrl: string }) {
  const { timezone, orders } = report
  const { translate, moment } = useWords(timezone)
  if (orders.length === 0) return null

  return (
    <RowsTable
      columns={{
        reference: translate('reference'),
        changed: translate('overviewChanged'),
        exported: translate('overviewExported'),
      }}
      name="matched"
      rows={orders.map(({ id, reference, updatedAt, reasons }) => ({
        id: String(id),
        cells: [
          <Link href={`${ordersUrl}/${id}`} key="order">
            {reference}
          </Link>,
          moment(new Date(updatedAt)),
          reasons.length === 0
            ? translate('overviewYes')
            : reasons.map(({ message }) => message).join(' '),
        ],
      }))}
    />
  )
}

interface TextBoxProps {
  /** The name of the input, unique on the page. */
  name: string
  label: string
  value: string
  change: (value: string) => void
}

/** Payload's text field, for a form that does not edit a document. */
export const TextBox = ({ name, label, value, change }: TextBoxProps) => (
  <TextInput
    hasMany={false}
    label={label}
    onChange={(event) => change(event.target.value)}
    path={`overview-${name}`}
    value={value}
  />
)
