'use client'

import { KlaviyoOnsite } from 'payload-storeconnect/react'
import { useState, useSyncExternalStore } from 'react'

export interface PrivacyChoiceProps {
  /** `await readKlaviyoOnsite()`: undefined where the store has no public API key. */
  script: { companyId: string; scriptUrl: string } | undefined
  nonce?: string | undefined
  base?: string | undefined
}

/** The cookie in which the choice is remembered. A shop with a consent tool asks that instead. */
const cookie = 'privacy-choice'

const listeners = new Set<() => void>()

function onChoice(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Read in the browser, so that static pages know it too. Blank while the visitor has not decided. */
const readChoice = (): string =>
  new RegExp(`(?:^|; )${cookie}=(yes|no)`).exec(document.cookie)?.[1] ?? ''

// Without JavaScript nothing of Klaviyo loads, so there is nothing to ask.
const withoutScripts = () => undefined

/** Asks once whether Klaviyo's script may load, and lets the visitor change their mind on every page. */
export function PrivacyChoice({ script, nonce, base }: PrivacyChoiceProps) {
  const choice = useSyncExternalStore(onChoice, readChoice, withoutScripts)
  const [isReopened, setIsReopened] = useState(false)
  if (script === undefined || choice === undefined) return null

  const choose = (answer: 'yes' | 'no') => {
    document.cookie = `${cookie}=${answer}; Path=/; Max-Age=15552000; SameSite=Lax`
    setIsReopened(false)
    for (const listener of listeners) listener()
  }
  const consent = choice === '' ? undefined : choice === 'yes'
  return (
    <>
      <KlaviyoOnsite {...script} base={base} consent={consent} nonce={nonce} />
      {isReopened || consent === undefined ? (
        <section aria-label="Privacy choice" className="privacy">
          <p>
            May we use Klaviyo to see which products you look at, and write to you about them? The
            shop works the same either way.
          </p>
          <div className="buttons">
            <button className="second" onClick={() => choose('no')} type="button">
              Refuse
            </button>
            <button className="second" onClick={() => choose('yes')} type="button">
              Allow
            </button>
          </div>
        </section>
      ) : (
        <button className="quiet" onClick={() => setIsReopened(true)} type="button">
          Privacy choice
        </button>
      )}
    </>
  )
}
