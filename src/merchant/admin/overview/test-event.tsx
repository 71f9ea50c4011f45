'use client'

import { useEffect, useState } from 'react'
import type { TestEventReport } from '../../../marketing/metrics/metric-endpoints.js'
import { testEventPath } from '../../../marketing/metrics/metric-paths.js'
import { TestButton, type TestLine } from '../test-button.js'
import { useShop } from '../use-shop.js'
import { useWords } from '../use-words.js'

const askEveryMs = 1000

/** A button that sends a test event, and says how far it has come until Klaviyo has it. */
export function TestEvent() {
  const { translate, duration } = useWords()
  const { ask, isBusy } = useShop()
  const [id, setId] = useState<string>()
  const [report, setReport] = useState<TestEventReport>({})
  const [problem, setProblem] = useState<string>()
  const isOver = report.state !== undefined && ['sent', 'failed', 'skipped'].includes(report.state)

  useEffect(() => {
    if (id === undefined || isOver) return
    const look = async () => {
      const answer = await ask<TestEventReport>(`${testEventPath}?id=${id}`)
      // Without an answer, the next look asks again.
      if ('body' in answer) setReport(answer.body)
    }
    const timer = setInterval(() => void look(), askEveryMs)
    return () => clearInterval(timer)
  }, [ask, id, isOver])

  const send = async () => {
    setReport({})
    setId(undefined)
    setProblem(undefined)
    const answer = await ask<{ id: string }>(testEventPath, {})
    if ('body' in answer) setId(answer.body.id)
    else setProblem(answer.problem ?? translate('overviewUnanswered'))
  }

  return (
    <TestButton
      isBusy={isBusy && id === undefined}
      label={translate('testEvent')}
      lines={linesOf()}
      onPress={send}
    />
  )

  function linesOf(): TestLine[] {
    if (problem !== undefined) return [{ type: 'error', text: problem }]
    if (id === undefined) return []
    const { state, tookMs = 0, problem: reason = '' } = report
    if (state === 'sent') {
      return [{ type: 'success', text: translate('testEventArrived', { time: duration(tookMs) }) }]
    }
    const text = translate('testEventWaits')
    return [{ type: reason === '' ? 'default' : 'error', text: reason === '' ? text : reason }]
  }
}
