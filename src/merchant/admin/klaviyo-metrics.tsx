'use client'

import { useState } from 'react'
import { exampleProfile } from '../../marketing/metrics/example-profile.js'
import type { SlotReport } from '../../marketing/metrics/mapped-metrics.js'
import type { MappingReport } from '../../marketing/metrics/metric-endpoints.js'
import { exampleEventsPath, mappedMetricsPath } from '../../marketing/metrics/metric-paths.js'
import { TestButton, type TestLine } from './test-button.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'
import { WaitingButton } from './waiting-button.js'

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
  const { ask, isBusy } = useShop()
  const [lines, show] = useState<TestLine[]>([])
  const { email } = exampleProfile

  const send = async () => {
    show([])
    const answer = await ask<{ count: number }>(exampleEventsPath, {})
    show([
      'body' in answer
        ? {
            type: 'success',
            text: translate('metricsExamplesSent', { count: number(answer.body.count) }),
          }
        : { type: 'error', text: answer.problem ?? translate('overviewUnanswered') },
    ])
  }

  return (
    <>
      <p>{translate('metricsExamplesHelp', { email })}</p>
      <TestButton
        isBusy={isBusy}
        label={translate('metricsExamples')}
        lines={lines}
        onPress={send}
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
