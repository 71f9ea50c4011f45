'use client'

import { useTranslation } from '@payloadcms/ui'
import { useEffect, useState } from 'react'
import type { HistoryRun } from '../../history/history-table.js'
import { translateBy } from '../translate.js'
import { FocusKeeper } from './focus-keeper.js'
import { HistoryForm } from './history-form.js'
import { HistoryProgress } from './history-progress.js'
import { useHistoryRoute } from './use-history-route.js'

/** Often enough that a merchant sees it move. */
const lookEveryMs = 2000

/** The last run while it is under way, and the form for the next one. */
export function HistoryPanel({ initial }: { initial?: HistoryRun }) {
  const { t } = useTranslation()
  const [run, setRun] = useState(initial)
  const ask = useHistoryRoute()
  const isMoving = run?.state === 'counting' || run?.state === 'running'
  const isUnderWay = isMoving || run?.state === 'paused'

  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => {
      // Without an answer the next look is soon.
      void ask('/progress').then((answer) => 'body' in answer && setRun(answer.body.run))
    }, lookEveryMs)
    return () => clearInterval(timer)
  }, [ask, isMoving])

  return (
    <FocusKeeper label={translateBy(t)('overviewHistory')}>
      {run && <HistoryProgress change={setRun} run={run} />}
      {!isUnderWay && <HistoryForm start={setRun} />}
    </FocusKeeper>
  )
}
