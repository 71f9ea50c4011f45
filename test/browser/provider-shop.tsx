import { EcommerceProvider, useCart, usePayments } from '@payloadcms/plugin-ecommerce/client/react'
import { BrowserCart, type BrowserCartProps } from '../../src/mounts/next/react.js'

/** What a shop's own components see and do. */
export type Basket = ReturnType<typeof useCart> & ReturnType<typeof usePayments>

export interface ShopProps {
  shown: BrowserCartProps
  /** Called for each rendering, also for those that the browser never paints. */
  onRender?: (basket: Basket) => void
}

const currenciesConfig = {
  defaultCurrency: 'USD',
  supportedCurrencies: [{ code: 'USD', decimals: 2, label: 'US Dollar', symbol: '$' }],
}

const paymentMethods = [
  { name: 'demo', label: 'Demo payment', confirmOrder: true, initiatePayment: true },
]

/** A store's layout: the extension's provider, with the cart of the visitor's session in it. */
export const Shop = ({ shown, onRender }: ShopProps) => (
  <EcommerceProvider currenciesConfig={currenciesConfig} paymentMethods={paymentMethods}>
    <BrowserCart {...shown} />
    <BasketView {...(onRender && { onRender })} />
  </EcommerceProvider>
)

function BasketView({ onRender }: Pick<ShopProps, 'onRender'>) {
  const cart = useCart()
  const payments = usePayments()
  onRender?.({ ...payments, ...cart })
  return <output>{cart.cart?.items?.length ?? 0}</output>
}
