'use client'

import { useFormFields } from '@payloadcms/ui'
import { useEffect, useState } from 'react'
import {
  connectionLines,
  type ConnectionReport,
} from '../../marketing/settings/connection-lines.js'
import { ShopTest, TestButton, WaitingButton, type TestLine } from './buttons.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'
import type { TestEventReport, MappingReport } from '../../marketing/metrics/metric-endpoints.js'
import { testEventPath, exampleEventsPath, mappedMetricsPath } from '../../marketing/admin-paths.js'
import { exampleProfile } from '../../marketing/metrics/example-profile.js'
import type { SlotReport } from '../../marketing/metrics/metrics.js'

/** Asks Klaviyo about the API key: that in the form or, where there is no form, the stored one. */
export function ConnectionTest() {
  const privateApiKey = useFormFields(([fields]) => fields.privateApiKey?.value)
  const { translate } = useWords()

  return (
    <ShopTest
      busyLabel={translate('testingConnection')}
      label={translate('testConnection')}
      linesOf={(report: ConnectionReport) => connectionLines(report, translate)}
      path="/globals/marketing-settings/test-connection"
      posted={{ privateApiKey: privateApiKey === null ? '' : privateApiKey }}
      withoutReport={() => translate('connectionUnanswered')}
    />
  )
}

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

/** Buttons that send an example of each event, and that check and set what Klaviyo counts by. */
export function KlaviyoMetrics() {
  const { translate } = useWords()
  return (
    <section aria-label={translate('metrics')} className="field-type">
      <h3>{translate('metrics')}</h3>
      <ExampleEvents />
      <MappedMetrics />
    </section>
  )
}

function ExampleEvents() {
  const { translate, number } = useWords()
  return (
    <>
      <p>{translate('metricsExamplesHelp', { email: exampleProfile.email })}</p>
      <ShopTest
        label={translate('metricsExamples')}
        linesOf={({ count }: { count: number }) => [
          { type: 'success', text: translate('metricsExamplesSent', { count: number(count) }) },
        ]}
        path={exampleEventsPath}
        withoutReport={(problem) => problem ?? translate('overviewUnanswered')}
      />
    </>
  )
}

function MappedMetrics() {
  const { translate } = useWords()
  const { ask, isBusy } = useShop()
  const [slots, setSlots] = useState<SlotReport[]>([])
  const [problem, setProblem] = useState<string>()

  const read = async (posted?: object) => {
    setProblem(undefined)
    const answer = await ask<MappingReport>(mappedMetricsPath, posted)
    const problemOf = 'body' in answer ? answer.body.problem : (answer.problem ?? '')
    setSlots('body' in answer ? answer.body.slots : [])
    setProblem(problemOf === '' ? translate('connectionUnanswered') : problemOf)
  }
  const sentenceOf = ({ slot, is, ours: metric, oursId, named: other = '–' }: SlotReport) => {
    const name = slot.replaceAll('_', ' ')
    const text =
      is === 'empty'
        ? translate('metricsEmpty', { slot: name, metric })
        : translate('metricsOther', { slot: name, metric, other })
    return oursId === undefined ? `${text} ${translate('metricsUnknown')}` : text
  }
  const open = slots.filter(({ is }) => is !== 'ours')
  const lines: TestLine[] = [
    ...(problem === undefined ? [] : [{ type: 'error', text: problem } as const]),
    ...open.map((slot): TestLine => ({ type: 'error', text: sentenceOf(slot) })),
    ...(slots.length > 0 && open.length === 0
      ? [{ type: 'success', text: translate('metricsAllOurs') } as const]
      : []),
  ]

  return (
    <>
      <p>{translate('metricsWhy')}</p>
      <TestButton
        isBusy={isBusy}
        label={translate(isBusy ? 'metricsChecking' : 'metricsCheck')}
        lines={lines}
        onPress={() => read()}
      />
      {open.some(({ oursId }) => oursId !== undefined) && (
        <WaitingButton isBusy={isBusy} onClick={() => void read({})}>
          {translate('metricsSet')}
        </WaitingButton>
      )}
    </>
  )
}
