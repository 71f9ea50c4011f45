'use client'

import { FieldLabel, useRouteCache } from '@payloadcms/ui'
import { useState, type SubmitEvent } from 'react'
import { Notice } from './notice.js'
import type { OrderChoice } from '../erasure/erasure-options.js'
import type { ErasurePreview } from '../erasure/erasures.js'
import { foundCounts, whatStays } from './erasure-words.js'
import { useShop } from './use-shop.js'
import { useWords } from './use-words.js'
import { WaitingButton } from './buttons.js'

interface Preview {
  /** The email that was looked up: somebody may type on meanwhile. */
  email: string
  found: ErasurePreview
  orders: OrderChoice
  keepFields: readonly string[]
}

type Shown = { type: 'error' | 'success'; text: string }

interface ErasureFormProps {
  /** The person that the page is about; somebody is typed without. */
  email?: string
  whenErased?: () => void
}

/** Erases the person with an email: it first shows what there is, and asks what becomes of the orders. */
export function ErasureForm({ email: given = '', whenErased }: ErasureFormProps) {
  const { translate } = useWords()
  const { ask, isBusy } = useShop()
  const { clearRouteCache } = useRouteCache()
  const [email, setEmail] = useState(given)
  const [lookedUp, setLookedUp] = useState<Preview>()
  const [shown, show] = useState<Shown>()

  const change = (text: string) => {
    setEmail(text)
    setLookedUp(undefined)
    show(undefined)
  }
  const post = async <Body,>(path: 'preview' | 'erase', body: object) => {
    show(undefined)
    const answer = await ask<Body>(`/marketing-erasures/${path}`, body)
    if ('body' in answer) return answer.body
    show({ type: 'error', text: answer.problem ?? translate('overviewUnanswered') })
    return undefined
  }
  const lookUp = async (event: SubmitEvent) => {
    event.preventDefault()
    const answer = await post<Omit<Preview, 'email'>>('preview', { email })
    setLookedUp(answer && { email, ...answer })
  }
  const preview = lookedUp?.email === email ? lookedUp : undefined
  const erase = async (orders: OrderChoice) => {
    const erased = await post('erase', { email, orders })
    if (erased === undefined) return
    change(given)
    whenErased?.()
    show({ type: 'success', text: translate('erasureErasedNow') })
    clearRouteCache()
  }

  return (
    <section aria-labelledby="erasure-form-heading" className="field-type">
      <h2 id="erasure-form-heading">{translate('erasureForm')}</h2>
      <p>{translate('erasureFormIntro')}</p>
      <form onSubmit={(event) => void lookUp(event)}>
        <div className="field-type text">
          <FieldLabel htmlFor="erasure-form-email" label={translate('erasureEmail')} />
          <input
            autoComplete="off"
            id="erasure-form-email"
            maxLength={254}
            onChange={({ target }) => change(target.value)}
            required
            type="email"
            value={email}
          />
        </div>
        <WaitingButton buttonStyle="secondary" isBusy={isBusy} type="submit">
          {translate('erasureLookUp')}
        </WaitingButton>
      </form>
      <div aria-live="polite" role="status">
        {shown && <Notice type={shown.type}>{shown.text}</Notice>}
        {preview && <FoundList found={preview.found} />}
      </div>
      {preview && (
        <Confirmation
          erase={(orders) => void erase(orders)}
          isBusy={isBusy}
          keepFields={preview.keepFields}
          suggested={preview.orders}
        />
      )}
    </section>
  )
}

function FoundList({ found }: { found: ErasurePreview }) {
  const words = useWords()
  return (
    <ul>
      <li>{words.translate(found.hasAccount ? 'erasureFoundAccount' : 'erasureFoundNoAccount')}</li>
      <li>{foundCounts(words, found)}</li>
    </ul>
  )
}

interface ConfirmationProps {
  suggested: OrderChoice
  keepFields: readonly string[]
  isBusy: boolean
  erase: (orders: OrderChoice) => void
}

function Confirmation({ suggested, keepFields, isBusy, erase }: ConfirmationProps) {
  const words = useWords()
  const { translate } = words
  const [orders, setOrders] = useState(suggested)
  const choice = (value: OrderChoice, text: string) => (
    <div>
      <label>
        <input
          checked={orders === value}
          name="erasure-form-orders"
          onChange={() => setOrders(value)}
          type="radio"
        />{' '}
        {text}
      </label>
    </div>
  )
  return (
    <fieldset>
      <legend>{translate('erasureOrders')}</legend>
      {choice('keep', translate('erasureKeepOrders'))}
      {choice('anonymise', translate('erasureAnonymiseOrders'))}
      <p>{whatStays(words, keepFields)}</p>
      <p>{translate('erasureWarning')}</p>
      <WaitingButton isBusy={isBusy} onClick={() => erase(orders)}>
        {translate('erasureConfirm')}
      </WaitingButton>
    </fieldset>
  )
}
