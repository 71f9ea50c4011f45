'use client'

import { KlaviyoOnsite } from 'payload-storeconnect/react'
import { useState, useSyncExternalStore } from 'react'

interface PrivacyChoiceProps {
  /** What the visitor decided on an earlier page; undefined when they did not. */
  decided: boolean | undefined
  /** `await readKlaviyoOnsite()`: undefined where the store has no public API key. */
  script: { companyId: string; scriptUrl: string } | undefined
  nonce?: string | undefined
  base?: string | undefined
}

/** The cookie in which the choice is remembered. A shop with a consent tool asks that instead. */
const cookie = 'privacy-choice'

const never = () => () => undefined

/** Asks once whether Klaviyo's script may load, and lets the visitor change their mind on every page. */
export function PrivacyChoice({ decided, script, nonce, base }: PrivacyChoiceProps) {
  const [consent, setConsent] = useState(decided)
  const [isOpen, setIsOpen] = useState(decided === undefined)
  // Without JavaScript nothing of Klaviyo loads, so there is nothing to ask.
  const hasScripts = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  if (script === undefined || !hasScripts) return null

  const choose = (choice: boolean) => {
    document.cookie = `${cookie}=${choice ? 'yes' : 'no'}; Path=/; Max-Age=15552000; SameSite=Lax`
    setConsent(choice)
    setIsOpen(false)
  }
  return (
    <>
      <KlaviyoOnsite {...script} base={base} consent={consent} nonce={nonce} />
      {isOpen ? (
        <section aria-label="Privacy choice" className="privacy">
          <p>
            May we use Klaviyo to see which products you look at, and write to you about them? The
            shop works the same either way.
          </p>
          <div className="buttons">
            <button className="second" onClick={() => choose(false)} type="button">
              Refuse
            </button>
            <button className="second" onClick={() => choose(true)} type="button">
              Allow
            </button>
          </div>
        </section>
      ) : (
        <button className="quiet" onClick={() => setIsOpen(true)} type="button">
          Privacy choice
        </button>
      )}
    </>
  )
}
