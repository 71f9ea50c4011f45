import { Cart } from '@/components/Cart'

export default function CheckoutPage() {
  return (
    <>
      <h1>Checkout</h1>
      <Cart />
    </>
  )
}
