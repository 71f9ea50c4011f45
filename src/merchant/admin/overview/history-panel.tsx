'use client'

import { FieldLabel } from '@payloadcms/ui'
import { useEffect, useState, type SubmitEvent } from 'react'
import { Notice } from '../notice.js'
import type { HistoryRun } from '../../../marketing/history/history-table.js'
import { useShop } from '../use-shop.js'
import { useWords } from '../use-words.js'
import { WaitingButton } from '../waiting-button.js'
import { FocusKeeper } from './focus-keeper.js'
import { HistoryProgress } from './history-progress.js'

const pollEveryMs = 2000

/** The progress of the last run, and the form for the next one. */
export function HistoryPanel({ initial }: { initial: HistoryRun | undefined }) {
  const { translate } = useWords()
  const [run, setRun] = useState(initial)
  const { ask } = useShop()
  const isMoving = run?.state === 'counting' || run?.state === 'running'
  const isUnderWay = isMoving || run?.state === 'paused'

  useEffect(() => {
    if (!isMoving) return
    const poll = async () => {
      const answer = await ask<{ run: HistoryRun }>('/marketing-histories/progress')
      // When there is no answer, the next poll asks again.
      if ('body' in answer) setRun(answer.body.run)
    }
    const timer = setInterval(() => void poll(), pollEveryMs)
    return () => clearInterval(timer)
  }, [ask, isMoving])

  return (
    <FocusKeeper label={translate('overviewHistory')}>
      {run && <HistoryProgress change={setRun} run={run} />}
      {!isUnderWay && <HistoryForm start={setRun} />}
    </FocusKeeper>
  )
}

/** A form that first counts the orders of a period, and then sends them. */
function HistoryForm({ start }: { start: (run: HistoryRun) => void }) {
  const { translate, number } = useWords()
  const { ask, isBusy } = useShop()
  const [period, setPeriod] = useState(lastYear)
  const [orders, setOrders] = useState<number>()
  const [problem, setProblem] = useState<string>()

  const askFor = async <Body,>(path: string, posted?: object) => {
    setProblem(undefined)
    const answer = await ask<Body>(`/marketing-histories/${path}`, posted)
    if ('body' in answer) return answer.body
    setProblem(answer.problem ?? translate('overviewUnanswered'))
    return undefined
  }
  const count = async (event: SubmitEvent) => {
    event.preventDefault()
    const query = new URLSearchParams(period).toString()
    const counted = await askFor<{ orders: number }>(`count-orders?${query}`)
    setOrders(counted?.orders)
  }
  const begin = async () => {
    const begun = await askFor<{ run: HistoryRun }>('start', period)
    setOrders(undefined)
    if (begun) start(begun.run)
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
      <WaitingButton buttonStyle="secondary" isBusy={isBusy} type="submit">
        {translate('overviewHistoryCount')}
      </WaitingButton>
      <div aria-live="polite" className="storeconnect-overview__answer">
        {problem !== undefined && <Notice type="error">{problem}</Notice>}
        {orders !== undefined && (
          <p>{translate('overviewHistoryCounted', { count: number(orders) })}</p>
        )}
      </div>
      {orders !== undefined && orders > 0 && (
        <WaitingButton isBusy={isBusy} onClick={() => void begin()}>
          {translate('overviewHistoryStart')}
        </WaitingButton>
      )}
    </form>
  )
}

function lastYear(): { from: string; to: string } {
  const dayOf = (at: Date) => at.toISOString().slice(0, 10)
  const begin = new Date()
  begin.setUTCFullYear(begin.getUTCFullYear() - 1)
  return { from: dayOf(begin), to: dayOf(new Date()) }
}
