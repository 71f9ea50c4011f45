'use client'

import { useState, type ReactNode } from 'react'

/** Asks for a second address only when it is another one. */
export function BillingAddress({ children }: { children: ReactNode }) {
  const [isSame, setIsSame] = useState(true)
  return (
    <>
      <label className="choice">
        <input
          checked={isSame}
          name="isBilledThere"
          onChange={({ target }) => setIsSame(target.checked)}
          type="checkbox"
        />
        The bill goes there too
      </label>
      {!isSame && (
        <fieldset>
          <legend>Where the bill goes</legend>
          {children}
        </fieldset>
      )}
    </>
  )
}
