'use client'

import { useEffect, useRef, type ReactNode } from 'react'

/** Takes the focus when the focused element inside it disappears, so that keyboard users stay here. */
export function FocusKeeper({ label, children }: { label: string; children: ReactNode }) {
  const keeper = useRef<HTMLDivElement>(null)
  // React sends no blur event when the focused element is removed.
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
