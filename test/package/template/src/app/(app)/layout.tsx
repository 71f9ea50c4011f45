import Link from 'next/link'
import type { ReactNode } from 'react'
import { Providers } from '@/providers'

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>
          <header>
            <Link href="/">Home</Link> <Link href="/shop">Shop</Link>
          </header>
          <main>{children}</main>
        </Providers>
      </body>
    </html>
  )
}
