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

/** Values of each variant, of their product, and of the options by which they differ. */
type Variants = Data & { product?: Data; labels?: readonly string[] }

/** Puts a product with one variant for each price into a test store. */
export async function createVariants(
  payload: BasePayload,
  prices: readonly number[],
  { product: ofProduct = {}, labels, ...ofVariants }: Variants = {},
) {
  const type = await payload.create({
    collection: 'variantTypes',
    data: { label: 'Size', name: 'size' },
  })
  const sized = { enableVariants: true, variantTypes: [type.id] }
  const product = await createProduct(payload, { ...sized, ...ofProduct })
  const variants: number[] = []
  const options: number[] = []
  for (const [index, priceInUSD] of prices.entries()) {
    const label = labels?.[index] ?? `size-${index}`
    const option = await payload.create({
      collection: 'variantOptions',
      data: { label, value: label, variantType: type.id },
    })
    const data = { options: [option.id], priceInUSD, _status: 'published', ...ofVariants }
    const variant = await payload.create({ collection: 'variants', data: { product, ...data } })
    options.push(Number(option.id))
    variants.push(Number(variant.id))
  }
  return { product, variants, options }
}
