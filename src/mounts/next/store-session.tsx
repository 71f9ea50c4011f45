'use client'

import { FlashNotices } from './flash-notices.js'
import { SessionCart, type SessionCartProps } from './session-cart.js'

export interface StoreSessionProps extends SessionCartProps {
  /** Class of the element around the notices, such as `container py-4`. Default: a style of its own. */
  noticesClassName?: string | undefined
}

/**
 * Shows the cart of the visitor's session in the `EcommerceProvider` inside it, and flash notices above the pages:
 * {@link SessionCart} and {@link FlashNotices} in one.
 *
 * @example
 * <StoreSession>
 *   <EcommerceProvider>{children}</EcommerceProvider>
 * </StoreSession>
 */
export function StoreSession({ noticesClassName, ...cart }: StoreSessionProps) {
  const notices = <FlashNotices base={cart.base} className={noticesClassName} />
  return (
    <>
      {noticesClassName === undefined ? <div style={noticesStyle}>{notices}</div> : notices}
      <SessionCart {...cart} />
    </>
  )
}

const noticesStyle = { margin: '0 auto', maxWidth: '80rem', paddingInline: '1rem' }
