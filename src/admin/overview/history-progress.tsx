'use client'

import { Banner, toast, useTranslation } from '@payloadcms/ui'
import { useId, useState } from 'react'
import { reasonsThatApply } from '../../history/passed-over.js'
import { shareDone } from '../../history/share-done.js'
import type { TranslationKey } from '../../store/payload/label.js'
import type { HistoryRun, HistoryState } from '../../history/history-table.js'
import { translateBy } from '../translate.js'
import { WaitingButton } from '../waiting-button.js'
import { dayText, numberText } from './said.js'
import { useHistoryRoute } from './use-history-route.js'

type Act = 'pause' | 'resume' | 'cancel'

const words: Readonly<Record<HistoryState, TranslationKey>> = {
  counting: 'historyCounting',
  running: 'historyRunning',
  paused: 'historyPaused',
  cancelled: 'historyCancelled',
  done: 'historyDone',
  failed: 'historyFailed',
}

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
  /** Is given the run after something was done with it. */
  change: (run: HistoryRun) => void
}

/** How far a run has come, with what can be done about it. */
export function HistoryProgress({ run, change }: ProgressProps) {
  const { i18n, t } = useTranslation()
  const translate = translateBy(t)
  const day = (date: string) => dayText(date, i18n.language)
  const number = (value: number) => numberText(value, i18n.language)
  const labelId = useId()
  const ask = useHistoryRoute()
  const [isBusy, setIsBusy] = useState(false)
  const { done, events, from, passedOver, state, to, total } = run
  const share = shareDone(run)
  const reasons = reasonsThatApply(run.passedOverFor)

  const act = async (name: Act) => {
    setIsBusy(true)
    const answer = await ask(`/${run.id}/${name}`, {})
    setIsBusy(false)
    if ('problem' in answer) toast.error(answer.problem ?? translate('overviewUnanswered'))
    else if (answer.body.run) change(answer.body.run)
  }

  return (
    <div className="storeconnect-overview__card storeconnect-overview__answer">
      <h3 id={labelId}>{translate('overviewHistoryRun', { from: day(from), to: day(to) })}</h3>
      <p aria-live="polite">{translate(words[state])}</p>
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
      {run.lastError !== undefined && <Banner type="error">{translate(run.lastError)}</Banner>}
      <div className="storeconnect-overview__row">
        {acts[state].map((name, place) => (
          <WaitingButton
            buttonStyle={name === 'cancel' ? 'secondary' : 'primary'}
            isBusy={isBusy}
            // Pause and Go on are one button, which keeps the focus.
            key={place}
            onClick={() => void act(name)}
            size="small"
          >
            {translate(actWords[name])}
          </WaitingButton>
        ))}
      </div>
    </div>
  )
}
