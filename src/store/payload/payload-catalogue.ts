import type { BasePayload, PayloadRequest } from 'payload'
import { createLocalReq } from 'payload'
import type { Catalogue, Purchasable } from '../catalogue.js'
import type { Visitor } from '../visitor.js'
import type { CartSchema } from './cart-documents.js'
import { readDocumentId } from './document-id.js'
import { idOf } from './document-value.js'

type Id = number | string
type Documents = Map<Id, Record<string, unknown>>

/** The extension's products and variants, as the visitor may see them. */
export function createCatalogue(payload: BasePayload, schema: CartSchema): Catalogue {
  const { productsSlug, variantsSlug } = schema

  /** Under the collection's own access rules: a product for members is for members here too. */
  async function published(
    slug: string,
    ids: readonly Id[],
    req: PayloadRequest,
  ): Promise<Documents> {
    if (ids.length === 0) return new Map()
    const { docs } = await payload.find({
      collection: slug,
      where: { id: { in: [...new Set(ids)] } },
      depth: 0,
      disableErrors: true,
      overrideAccess: false,
      pagination: false,
      req,
    })
    const seen = docs as unknown as (Record<string, unknown> & { id: Id })[]
    return new Map(seen.filter(isPublished).map((document) => [document.id, document]))
  }

  return {
    async find(ids, visitor) {
      const asked = ids.map(({ productId, variantId }) => ({
        product: readId(payload, productsSlug, productId),
        variant: readId(payload, variantsSlug, variantId),
      }))
      const req = await requestOf(payload, visitor)
      const variants = variantsSlug
        ? await published(variantsSlug, known(asked.map(({ variant }) => variant)), req)
        : new Map<Id, Record<string, unknown>>()
      const productIds = asked.map(({ product, variant }) =>
        isId(variant) ? idOf(variants.get(variant)?.product) : product,
      )
      const products = await published(productsSlug, known(productIds), req)
      return asked.map((ask) => purchasableOf(ask, { products, variants }))
    },
  }
}

/** Somebody's id, or `unknown` where the text can be nobody's. */
type AskedId = Id | { unknown: true } | undefined

function readId(payload: BasePayload, slug: string | undefined, text: string | undefined): AskedId {
  if (text === undefined) return undefined
  return (slug && readDocumentId(payload, slug, text)) ?? { unknown: true }
}

const isId = (asked: AskedId): asked is Id => typeof asked === 'number' || typeof asked === 'string'

const known = (asked: readonly AskedId[]): Id[] => asked.filter(isId)

function purchasableOf(
  { product, variant }: { product: AskedId; variant: AskedId },
  { products, variants }: { products: Documents; variants: Documents },
): Purchasable | undefined {
  if (variant === undefined) {
    const document = isId(product) ? products.get(product) : undefined
    // Which of its variants is meant nobody could tell, neither the till nor the warehouse.
    if (!isId(product) || document === undefined || document.enableVariants === true)
      return undefined
    return { productId: product, variantId: undefined, prices: pricesOf(document) }
  }
  const document = isId(variant) ? variants.get(variant) : undefined
  const productId = idOf(document?.product)
  if (!isId(variant) || document === undefined || productId === undefined) return undefined
  if (!products.has(productId)) return undefined
  if (product !== undefined && product !== productId) return undefined
  return { productId, variantId: variant, prices: pricesOf(document) }
}

/** The extension keeps prices in fields such as `priceInUSD`. */
function pricesOf(document: Record<string, unknown>): Record<string, number> {
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

/** A request of its own, in the visitor's name, for the store's access rules and hooks. */
export const requestOf = (
  payload: BasePayload,
  visitor: Visitor | undefined,
): Promise<PayloadRequest> =>
  createLocalReq(
    visitor ? { user: visitor.document as PayloadRequest['user'] & object } : {},
    payload,
  )
