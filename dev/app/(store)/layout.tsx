import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { BrowserCart, FlashNotices } from 'payload-storeconnect/react'
import { readBrowserCart, readNotices, readSite } from '../../storeconnect.ts'
import { Footer } from './footer.tsx'
import { Masthead } from './masthead.tsx'
import { ShopProvider } from './shop-provider.tsx'
import './styles/base.css'
import './styles/layout.css'

export async function generateMetadata(): Promise<Metadata> {
  const name = (await readSite())?.name ?? 'Kettle & Quill'
  return {
    title: { default: name, template: `%s · ${name}` },
    description: 'Tea, and what one writes letters with. A demo store.',
  }
}

export const dynamic = 'force-dynamic'

export default async function StoreLayout({ children }: { children: ReactNode }) {
  const site = await readSite()
  return (
    <html lang={site?.language || 'en'}>
      <body>
        <ShopProvider>
          <BrowserCart {...await readBrowserCart()} />
          <a className="skip" href="#main">
            Skip to the content
          </a>
          <Masthead />
          <FlashNotices className="notices" notices={await readNotices()} />
          <main id="main">{children}</main>
          <Footer />
        </ShopProvider>
      </body>
    </html>
  )
}
