'use client'

import { Banner, FieldLabel, useTranslation } from '@payloadcms/ui'
import { useState, type SubmitEvent } from 'react'
import type { HistoryRun } from '../../history/history-table.js'
import { translateBy } from '../translate.js'
import { WaitingButton } from '../waiting-button.js'
import { numberText } from './said.js'
import { useHistoryRoute } from './use-history-route.js'

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

function lastYear(): { from: string; to: string } {
  const begin = new Date()
  begin.setUTCFullYear(begin.getUTCFullYear() - 1)
  return { from: dayOf(begin), to: dayOf(new Date()) }
}

/** Counts the orders of a period first, and then sends them with one click. */
export function HistoryForm({ start }: { start: (run: HistoryRun) => void }) {
  const { i18n, t } = useTranslation()
  const translate = translateBy(t)
  const ask = useHistoryRoute()
  const [period, setPeriod] = useState(lastYear)
  const [orders, setOrders] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)

  const asking = async (path: string, posted?: object) => {
    setIsBusy(true)
    setProblem(undefined)
    const answer = await ask(path, posted)
    setIsBusy(false)
    if ('body' in answer) return answer.body
    setProblem(answer.problem ?? translate('overviewUnanswered'))
    return undefined
  }
  const count = async (event: SubmitEvent) => {
    event.preventDefault()
    const body = await asking(`/count-orders?${new URLSearchParams(period).toString()}`)
    setOrders(body?.orders)
  }
  const begin = async () => {
    const body = await asking('/start', period)
    setOrders(undefined)
    if (body?.run) start(body.run)
  }
  const day = (name: 'from' | 'to', label: string) => (
    <div className="field-type text">
      <FieldLabel htmlFor={`overview-history-${name}`} label={label} />
      <input
        id={`overview-history-${name}`}
        onChange={({ target }) => {
          setPeriod({ ...period, [name]: target.value })
          setOrders(undefined)
        }}
        required
        type="date"
        value={period[name]}
      />
    </div>
  )

  return (
    <form onSubmit={(event) => void count(event)}>
      <div className="storeconnect-overview__fields">
        {day('from', translate('historyFrom'))}
        {day('to', translate('historyTo'))}
      </div>
      <WaitingButton buttonStyle="secondary" isBusy={isBusy} size="small" type="submit">
        {translate('overviewHistoryCount')}
      </WaitingButton>
      <div aria-live="polite" className="storeconnect-overview__answer">
        {problem !== undefined && <Banner type="error">{problem}</Banner>}
        {orders !== undefined && (
          <p>{translate('overviewHistoryCounted', { count: numberText(orders, i18n.language) })}</p>
        )}
      </div>
      {orders !== undefined && orders > 0 && (
        <WaitingButton isBusy={isBusy} onClick={() => void begin()} size="small">
          {translate('overviewHistoryStart')}
        </WaitingButton>
      )}
    </form>
  )
}
