import { hydrateRoot } from 'react-dom/client'
import { Shop, type Basket, type ShopProps } from './provider-shop.js'

declare global {
  interface Window {
    shop: {
      /** The cart of each rendering, in their order. */
      renderedCarts: string[]
      basket: Basket | undefined
    }
  }
}

window.shop = { renderedCarts: [], basket: undefined }

const root = document.querySelector('#shop')
const shown = JSON.parse(
  document.querySelector('#shown')?.textContent ?? '{}',
) as ShopProps['shown']

if (root) {
  hydrateRoot(
    root,
    <Shop
      shown={shown}
      onRender={(basket) => {
        window.shop.basket = basket
        window.shop.renderedCarts.push(String(basket.cart?.id ?? 'none'))
      }}
    />,
  )
}
