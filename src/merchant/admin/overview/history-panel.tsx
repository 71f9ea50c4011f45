'use client'

import { FieldLabel, toast } from '@payloadcms/ui'
import { useEffect, useState, type SubmitEvent, useId } from 'react'
import { Notice } from '../notice.js'
import type { HistoryRun, HistoryState } from '../../../marketing/history/history-table.js'
import { useShop } from '../use-shop.js'
import { useWords } from '../use-words.js'
import { WaitingButton } from '../buttons.js'
import { FocusKeeper } from './focus-keeper.js'
import { reasonsThatApply, shareDone, stateNames } from '../../../marketing/history/run-progress.js'
import type { TranslationKey } from '../../../core/payload/label.js'

const pollEveryMs = 2000

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

type Act = 'pause' | 'resume' | 'cancel'

const acts: Readonly<Record<HistoryState, readonly Act[]>> = {
  counting: ['pause', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  failed: ['resume', 'cancel'],
  cancelled: [],
  done: [],
}

const actWords: Readonly<Record<Act, TranslationKey>> = {
  pause: 'overviewHistoryPause',
  resume: 'overviewHistoryResume',
  cancel: 'overviewHistoryCancel',
}

interface ProgressProps {
  run: HistoryRun
  change: (run: HistoryRun) => void
}

export function HistoryProgress({ run, change }: ProgressProps) {
  const { translate, day, number } = useWords()
  const { ask, isBusy } = useShop()
  const labelId = useId()
  const { done, events, from, passedOver, state, to, total } = run
  const share = shareDone(run)
  const reasons = reasonsThatApply(run.passedOverFor)

  const act = async (name: Act) => {
    const answer = await ask<{ run: HistoryRun }>(`/marketing-histories/${run.id}/${name}`, {})
    if ('body' in answer) change(answer.body.run)
    else toast.error(answer.problem ?? translate('overviewUnanswered'))
  }

  return (
    <div className="storeconnect-overview__card storeconnect-overview__answer">
      <h3 id={labelId}>{translate('overviewHistoryRun', { from: day(from), to: day(to) })}</h3>
      <p aria-live="polite">{translate(stateNames[state])}</p>
      <progress aria-labelledby={labelId} {...(share !== undefined && { value: share })} />
      <p>
        {translate('overviewHistoryDone', {
          done: number(done),
          total: total === undefined ? '…' : number(total),
          events: number(events),
          passedOver: number(passedOver),
        })}
      </p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map(({ reason, count }) => (
            <li key={reason}>{translate(reason, { count: number(count) })}</li>
          ))}
        </ul>
      )}
      {run.lastError !== undefined && <Notice type="error">{translate(run.lastError)}</Notice>}
      <div className="storeconnect-overview__row">
        {acts[state].map((name, place) => (
          <WaitingButton
            buttonStyle={name === 'cancel' ? 'secondary' : 'primary'}
            isBusy={isBusy}
            // The key makes Pause and Resume one button, so that it keeps the focus.
            key={place}
            onClick={() => void act(name)}
          >
            {translate(actWords[name])}
          </WaitingButton>
        ))}
      </div>
    </div>
  )
}
