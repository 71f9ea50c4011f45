import { type BasePayload, type PayloadRequest, createLocalReq } from 'payload'
import type { Visitor } from '../core/http/visit.js'
import type { CartDocument, CartSchema } from './cart-documents.js'
import { readDocumentId, type DocumentId } from '../core/database/document-id.js'
import { idOf } from '../core/payload/document-value.js'

/** A product, or one variant of it, that a visitor may buy. */
export interface Purchasable {
  productId: DocumentId
  variantId: DocumentId | undefined
  /** Prices in minor units by currency. A currency without a price is absent. */
  prices: Readonly<Record<string, number>>
}

/** Ids as a form posted them. At least one is defined. */
export interface PurchasableId {
  productId: string | undefined
  variantId: string | undefined
}

type Id = DocumentId | undefined

export type Purchasables = ReturnType<typeof createPurchasables>

/** Finds products and variants that the visitor may put into a cart. */
export function createPurchasables(
  payload: BasePayload,
  { productsSlug, variantsSlug }: CartSchema,
) {
  const readId = (slug: string | undefined, text: string | undefined): Id =>
    slug === undefined || text === undefined ? undefined : readDocumentId(payload, slug, text)

  /** Reads with the collection's own access rules, so that only members find a product for members. */
  async function published(slug: string | undefined, ids: readonly Id[], req: PayloadRequest) {
    const wanted = new Set(ids.filter((id) => id !== undefined))
    if (slug === undefined || wanted.size === 0) return new Map<Id, CartDocument>()
    const { docs } = await payload.find({
      collection: slug,
      where: { id: { in: [...wanted] } },
      depth: 0,
      disableErrors: true,
      overrideAccess: false,
      pagination: false,
      req,
    })
    return new Map<Id, CartDocument>(docs.filter(isPublished).map((found) => [found.id, found]))
  }

  return {
    /** Finds products in the order of the ids; undefined for one that the visitor may not read or nobody can buy. */
    async find(
      ids: readonly PurchasableId[],
      visitor: Visitor | undefined,
    ): Promise<(Purchasable | undefined)[]> {
      const req = await requestOf(payload, visitor)
      const variantIds = ids.map(({ variantId }) => readId(variantsSlug, variantId))
      const variants = await published(variantsSlug, variantIds, req)
      const productIds = ids.map(({ productId, variantId }, index) =>
        variantId === undefined
          ? readId(productsSlug, productId)
          : idOf(variants.get(variantIds[index])?.product),
      )
      const products = await published(productsSlug, productIds, req)
      return ids.map((asked, index) => {
        const product = products.get(productIds[index])
        if (product === undefined) return undefined
        if (asked.variantId === undefined) {
          // A product with variants cannot be bought without one: nobody would know which to send.
          if (product.enableVariants === true) return undefined
          return { productId: product.id, variantId: undefined, prices: pricesOf(product) }
        }
        const variant = variants.get(variantIds[index])
        const isOfAsked =
          asked.productId === undefined || readId(productsSlug, asked.productId) === product.id
        if (variant === undefined || !isOfAsked) return undefined
        return { productId: product.id, variantId: variant.id, prices: pricesOf(variant) }
      })
    },
  }
}

/** The extension keeps prices in fields such as `priceInUSD`. */
function pricesOf(document: CartDocument): Record<string, number> {
  const prices: Record<string, number> = {}
  for (const [name, value] of Object.entries(document)) {
    const currency = /^priceIn([A-Z]{3})$/.exec(name)?.[1]
    if (currency !== undefined && typeof value === 'number') prices[currency] = value
  }
  return prices
}

/** Staff may read drafts, but nobody can buy one. */
const isPublished = ({ _status: status, deletedAt }: Record<string, unknown>): boolean =>
  (status === undefined || status === 'published') && !deletedAt

/** Makes a new Payload request in the visitor's name, for the store's access rules and hooks. */
export const requestOf = (
  payload: BasePayload,
  visitor: Visitor | undefined,
): Promise<PayloadRequest> =>
  createLocalReq(
    visitor ? { user: visitor.document as PayloadRequest['user'] & object } : {},
    payload,
  )
