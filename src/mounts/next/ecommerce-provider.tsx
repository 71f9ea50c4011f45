'use client'

import {
  EcommerceProvider as PayloadProvider,
  useCart,
} from '@payloadcms/plugin-ecommerce/client/react'
import { useEffect, useState, type ComponentProps } from 'react'
import { FlashNotices } from './flash-notices.js'
import { readLayoutInfo } from './read-layout-info.js'
import { SessionCart } from './browser-cart.js'

type PayloadProviderProps = ComponentProps<typeof PayloadProvider>

export interface EcommerceProviderProps extends PayloadProviderProps {
  /** Path of the site below which the actions are, such as `/us`. Default: none. */
  base?: string | undefined
  /** Class of the element around the notices, such as `container py-4`. Default: a style of its own. */
  noticesClassName?: string | undefined
}

/**
 * Payload's `EcommerceProvider`, which shows the cart of the visitor's session, such as a restored one, and flash
 * notices above the pages: {@link SessionCart} and {@link FlashNotices} in one. It takes all props of Payload's.
 */
export function EcommerceProvider(props: EcommerceProviderProps) {
  const { base = '', noticesClassName, children, ...provider } = props
  return (
    <SessionCart base={base} storageKey={storageKeyOf(provider)}>
      <PayloadProvider {...provider}>
        <div style={noticesClassName === undefined ? noticesStyle : undefined}>
          <CartNotices base={base} className={noticesClassName} />
        </div>
        {children}
      </PayloadProvider>
    </SessionCart>
  )
}

const noticesStyle = { margin: '0 auto', maxWidth: '80rem', paddingInline: '1rem' }

function storageKeyOf({ syncLocalStorage }: PayloadProviderProps): string | undefined {
  return typeof syncLocalStorage === 'object' ? syncLocalStorage.key : undefined
}

const patienceMs = 3000

/** Notices that wait until the pages show the cart which they are about. */
function CartNotices({ base, className }: { base: string; className: string | undefined }) {
  const { cart } = useCart()
  const [awaited, setAwaited] = useState<string>()
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    void readLayoutInfo(base).then((info) => setAwaited(String(info?.cart?.id ?? '')))
    const timer = setTimeout(() => setIsLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [base])
  const isCartShown = awaited === '' || (awaited !== undefined && awaited === String(cart?.id))
  return <FlashNotices base={base} className={className} isWaiting={!isCartShown && !isLate} />
}
