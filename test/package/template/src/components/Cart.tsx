'use client'

import { useCart } from '@payloadcms/plugin-ecommerce/client/react'
import { useSyncExternalStore } from 'react'

export function Cart() {
  const { cart } = useCart()
  const items = cart?.items ?? []
  if (items.length === 0) return <p>Your cart is empty.</p>
  return (
    <ul>
      {items.map(({ id, product, quantity }) => (
        <li key={id}>
          {quantity} × {typeof product === 'object' && product?.title}
        </li>
      ))}
    </ul>
  )
}

export function AddToCart({ product }: { product: number }) {
  const { addItem, cart, isLoading } = useCart()
  const isInBrowser = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  )
  return (
    <>
      <button disabled={!isInBrowser || isLoading} onClick={() => void addItem({ product })}>
        Add to cart
      </button>
      {(cart?.items ?? []).length > 0 && <p>It is in your cart.</p>}
    </>
  )
}
