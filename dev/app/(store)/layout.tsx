import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { FlashNotices } from '../../storeconnect.ts'
import { Masthead } from './masthead.tsx'
import { NewsletterForm } from './newsletter-form.tsx'
import './store.css'

export const metadata: Metadata = {
  title: 'Kettle & Quill',
  description: 'Tea, and what one writes letters with. A demo store.',
}

export const dynamic = 'force-dynamic'

export default function StoreLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <Masthead />
        <FlashNotices className="notices" />
        <main id="main">{children}</main>
        <footer className="footnote">
          <NewsletterForm />
          <p>Nothing here is for sale; the pictures are drawn by code.</p>
        </footer>
      </body>
    </html>
  )
}
