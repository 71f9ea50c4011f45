'use client'

import { Link } from '@payloadcms/ui'
import { usePathname } from 'next/navigation.js'
import type { ReactNode } from 'react'

/** A link as Payload's own in the navigation are. */
export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const isHere = usePathname() === href
  return (
    <Link
      aria-current={isHere ? 'page' : undefined}
      className="nav__link"
      href={href}
      id="nav-storeconnect"
      prefetch={false}
    >
      {isHere && <div className="nav__link-indicator" />}
      <span className="nav__link-label">{children}</span>
    </Link>
  )
}
