import config from '@payload-config'
import { getPayload } from 'payload'
import { priceIn } from '../../price-in.ts'
import type { Product, Variant } from '../../payload-types.ts'
import type { readCart } from '../../storeconnect.ts'

export type Cart = NonNullable<Awaited<ReturnType<typeof readCart>>>
export type CartLine = Cart['lines'][number]

/** What a line of the cart is about. */
export interface CartThing {
  name: string
  slug: string | undefined
  image: Product['image']
  /** Of one, in minor units; undefined for what is no longer sold. */
  price: number | undefined
}

/** What the lines are about, in the order of the lines. */
export async function cartThings({ currency, lines }: Cart): Promise<CartThing[]> {
  const payload = await getPayload({ config })
  const [products, variants] = await Promise.all([
    payload.find({
      collection: 'products',
      depth: 1,
      pagination: false,
      where: { id: { in: lines.map(({ productId }) => productId) } },
    }),
    payload.find({
      collection: 'variants',
      depth: 0,
      pagination: false,
      where: { id: { in: lines.flatMap(({ variantId }) => variantId ?? []) } },
    }),
  ])
  const productOf = byId(products.docs)
  const variantOf = byId(variants.docs)
  return lines.map(({ productId, variantId }) =>
    thingOf(productOf.get(productId), variantOf.get(variantId), currency),
  )
}

const byId = <Doc extends Product | Variant>(docs: Doc[]): Map<number | string | undefined, Doc> =>
  new Map(docs.map((doc) => [doc.id, doc]))

function thingOf(
  product: Product | undefined,
  variant: Variant | undefined,
  currency: string,
): CartThing {
  return {
    name: variant?.title ?? product?.title ?? 'No longer sold',
    slug: product?.slug ?? undefined,
    image: product?.image,
    price: priceIn(currency, variant) ?? priceIn(currency, product),
  }
}
