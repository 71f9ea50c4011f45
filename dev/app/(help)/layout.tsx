import { FlashNotices, SessionCart } from 'payload-storeconnect/react'
import type { ReactNode } from 'react'
import { ShopProvider } from '../(store)/shop-provider.tsx'
import '../(store)/styles/base.css'
import '../(store)/styles/layout.css'
import { CartLink } from './cart-link.tsx'
import { StaticPrivacyChoice } from './static-privacy-choice.tsx'

/** Pages that are built once and the same for everybody: the browser asks who looks at them. */
export default function HelpLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SessionCart>
          <ShopProvider>
            <header className="masthead">
              <p className="brand">
                <a href="/">Kettle &amp; Quill</a>
              </p>
              <nav aria-label="Main">
                <CartLink />
              </nav>
            </header>
            <FlashNotices className="notices" />
            <main id="main">{children}</main>
            <footer className="footer">
              <StaticPrivacyChoice />
            </footer>
          </ShopProvider>
        </SessionCart>
      </body>
    </html>
  )
}
