import type { BasePayload } from 'payload'

type Data = Record<string, unknown>

/** Puts a product that can be bought into a test store. */
export async function createProduct(payload: BasePayload, data: Data = {}): Promise<number> {
  const product = await payload.create({
    collection: 'products',
    data: { title: 'Green tea', sku: 'TEA-1', priceInUSD: 1250, _status: 'published', ...data },
  })
  return Number(product.id)
}

/** Puts a product with one variant for each price into a test store. */
export async function createVariants(
  payload: BasePayload,
  prices: readonly number[],
  data: Data = {},
): Promise<{ product: number; variants: number[] }> {
  const type = await payload.create({
    collection: 'variantTypes',
    data: { label: 'Size', name: 'size' },
  })
  const product = await createProduct(payload, { enableVariants: true, variantTypes: [type.id] })
  const variants: number[] = []
  for (const [index, priceInUSD] of prices.entries()) {
    const value = `size-${index}`
    const option = await payload.create({
      collection: 'variantOptions',
      data: { label: value, value, variantType: type.id },
    })
    const variant = await payload.create({
      collection: 'variants',
      data: { product, options: [option.id], priceInUSD, _status: 'published', ...data },
    })
    variants.push(Number(variant.id))
  }
  return { product, variants }
}
