import { createPurchasables, type PurchasableId } from '../../carts/purchasables.js'
import type { CartSchema } from '../../carts/cart-documents.js'
import { textOrNumber } from '../../core/payload/document-value.js'
import type { Shop } from '../../core/shop.js'
import type { PublicProducts } from '../product-feed/public-products.js'
import type { MarketingSettingsParts } from '../settings/parts.js'
import { isSoldOut, keyOf, variantIdOf } from './catalog-entries.js'
import type { CatalogProducts } from './catalog-products.js'

/** What somebody may wait for. `off`: the shop does not send its catalog. `unknown`: Klaviyo cannot show it. */
export type SoldOut =
  { is: 'off' | 'unknown' | 'in-stock' } | { is: 'sold-out'; variant: string; product: string }

/** Finds out whether a product, or a variant of it, is sold out now, as the catalog has it. */
export function createSoldOut(
  { payload }: Shop,
  {
    products,
    publicProducts,
    schema,
    marketingSettings,
  }: MarketingSettingsParts & {
    products: CatalogProducts
    publicProducts: PublicProducts
    schema: CartSchema
  },
) {
  const purchasables = createPurchasables(payload, schema)
  return async (asked: PurchasableId): Promise<SoldOut> => {
    const isByApi = (await marketingSettings.get()).catalog === 'api'
    const view = isByApi ? await products.view() : undefined
    if (view === undefined) return { is: 'off' }
    const [found] = await purchasables.find([asked], undefined)
    if (found === undefined) return { is: 'unknown' }
    const product = await publicProducts.find(found.productId, '')
    if (product === undefined) return { is: 'unknown' }
    const variant = variantIdOf(found)
    const entries = (await products.entriesOf(product, view)) ?? []
    const wish = entries.find((each) => keyOf(each) === `variant:${variant}`)?.wish
    if (!wish) return { is: 'unknown' }
    if (!isSoldOut(wish)) return { is: 'in-stock' }
    return { is: 'sold-out', variant, product: textOrNumber(wish.attributes.title) }
  }
}
