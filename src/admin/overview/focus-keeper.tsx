'use client'

import { useEffect, useRef, type ReactNode } from 'react'

/** Takes the focus when what had it inside is gone, so that the keyboard keeps its place. */
export function FocusKeeper({ label, children }: { label: string; children: ReactNode }) {
  const keeper = useRef<HTMLDivElement>(null)
  // React tells nothing of a focus that goes away with its element.
  const isInside = useRef(false)

  useEffect(() => {
    if (isInside.current && document.activeElement === document.body) keeper.current?.focus()
  })

  return (
    <div
      aria-label={label}
      className="storeconnect-overview__answer"
      onBlur={() => (isInside.current = false)}
      onFocus={() => (isInside.current = true)}
      ref={keeper}
      role="group"
      tabIndex={-1}
    >
      {children}
    </div>
  )
}
