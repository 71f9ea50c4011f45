'use client'

import { toast } from '@payloadcms/ui'
import { useId } from 'react'
import { Notice } from '../notice.js'
import { reasonsThatApply, shareDone, stateNames } from '../../../marketing/history/run-progress.js'
import type { TranslationKey } from '../../../core/payload/label.js'
import type { HistoryRun, HistoryState } from '../../../marketing/history/history-table.js'
import { useShop } from '../use-shop.js'
import { useWords } from '../use-words.js'
import { WaitingButton } from '../waiting-button.js'

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
  /** Receives the run after it was paused, resumed or cancelled. */
  change: (run: HistoryRun) => void
}

/** The progress of a run, with the buttons that pause, resume and cancel it. */
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
