'use client'

import { toast, useDocumentInfo, useFormFields, useRouteCache } from '@payloadcms/ui'
import type { TranslationKey } from '../../core/payload/label.js'
import type { FinishedOrder, Refusal } from '../../shop/payments/finish-step.js'
import { finishOrderPath } from '../../shop/payments/payment-paths.js'
import { WaitingButton } from './buttons.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'

const refusals: Readonly<Record<Refusal, TranslationKey>> = {
  unknown: 'finishOrderEnded',
  ended: 'finishOrderEnded',
  twice: 'finishOrderTwice',
  begun: 'finishOrderBegun',
  'no-method': 'finishOrderNoMethod',
}

const outcomes = {
  made: 'finishOrderMade',
  there: 'finishOrderMade',
  linked: 'finishOrderLinked',
} as const

/** On the page of a payment that has no order: the button that makes it. */
export function FinishOrder() {
  const { translate } = useWords()
  const { id } = useDocumentInfo()
  const [order, status] = useFormFields(([fields]) => [fields.order?.value, fields.status?.value])
  const isOpen = status === 'pending' || status === 'processing' || status === 'succeeded'
  if (id === undefined || order || !isOpen) return null
  return (
    <div className="field-type">
      <FinishOrderButton id={String(id)} />
      <p>{translate('finishOrderDescription')}</p>
    </div>
  )
}

/** Makes the order of the payment with this id, and says what became of it. */
export function FinishOrderButton({ id }: { id: string }) {
  const { translate } = useWords()
  const { clearRouteCache } = useRouteCache()
  const { ask, isBusy } = useShop()

  const finish = async () => {
    const answer = await ask<FinishedOrder>(`${finishOrderPath}/${id}`, {})
    if ('problem' in answer) toast.error(answer.problem ?? translate('overviewUnanswered'))
    else if (answer.body.is !== 'refused') toast.success(translate(outcomes[answer.body.is]))
    else {
      const { why, order } = answer.body
      toast.error(translate(refusals[why], { order: String(order) }))
    }
    clearRouteCache()
  }
  return (
    <WaitingButton buttonStyle="secondary" isBusy={isBusy} onClick={() => void finish()}>
      {translate('finishOrder')}
    </WaitingButton>
  )
}
