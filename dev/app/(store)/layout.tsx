import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import './store.css'

export const metadata: Metadata = {
  title: 'Kettle & Quill',
  description: 'Tea, and what one writes letters with. A demo store.',
}

export default function StoreLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
