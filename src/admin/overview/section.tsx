import { useId, type ReactNode } from 'react'

interface SectionProps {
  heading: string
  /** Beside the heading. */
  aside?: ReactNode
  isCard?: boolean
  children: ReactNode
}

/** A part of the page that a screen reader can jump to. */
export function Section({ heading, aside, isCard = false, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} {...(isCard && { className: 'storeconnect-overview__card' })}>
      <div className="storeconnect-overview__heading">
        <h2 id={id}>{heading}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
