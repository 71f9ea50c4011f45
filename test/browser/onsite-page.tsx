import { createRoot } from 'react-dom/client'
import { PrivacyChoice } from '../../dev/app/(store)/privacy-choice.tsx'
import { trackAddedToCart, ViewedProduct } from '../../src/mounts/next/react.js'
import type { OnsiteEvent } from '../../src/marketing/onsite/onsite-events.js'

/** What the page of a product is rendered with. */
export interface OnsitePageProps {
  script: { companyId: string; scriptUrl: string } | undefined
  nonce?: string | undefined
  viewed: OnsiteEvent | undefined
}

declare global {
  interface Window {
    trackAddedToCart: typeof trackAddedToCart
  }
}

window.trackAddedToCart = trackAddedToCart

const text = document.querySelector('#props')?.textContent ?? '{}'
const { script, nonce, viewed } = JSON.parse(text) as OnsitePageProps
const root = document.querySelector('#shop')

if (root) {
  createRoot(root).render(
    <>
      <ViewedProduct event={viewed} />
      <PrivacyChoice nonce={nonce} script={script} />
    </>,
  )
}
