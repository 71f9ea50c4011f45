'use client'

import { useCart } from '@payloadcms/plugin-ecommerce/client/react'

/** The cart of the extension's provider, as a shop's own components see it. */
export function CartLink() {
  const items = useCart().cart?.items as { quantity: number }[] | undefined
  const quantity = items?.reduce((sum, item) => sum + item.quantity, 0) ?? 0
  return (
    <a href="/cart">
      Cart <span aria-label={`${quantity} in it`}>({quantity})</span>
    </a>
  )
}
