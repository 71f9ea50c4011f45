import type { DefaultDocumentIDType, Payload } from 'payload'
import { priceFields } from './prices.ts'
import { products, type ProductSeed, type VariantSeed } from './products.ts'
import { randomFrom } from './random.ts'

type Id = DefaultDocumentIDType

/** Finds the document of a seeded product or variant. */
export interface SeededProducts {
  productId(product: ProductSeed): Id
  variantId(variant: VariantSeed): Id
}

/** Creates the products with their pictures, variants and what variants consist of. */
export async function seedProducts(payload: Payload): Promise<SeededProducts> {
  const random = randomFrom(12)
  const typeIds = await createVariantTypes(payload)
  const productIds = new Map<ProductSeed, Id>()
  const variantIds = new Map<VariantSeed, Id>()

  for (const product of products) {
    const image = await createPicture(payload, product)
    const type = product.variants?.type
    const stock = random.between(40, 200)
    const { id } = await payload.create({
      collection: 'products',
      data: {
        title: product.title,
        slug: product.slug,
        sku: product.sku,
        description: product.description,
        image,
        weight: product.weight,
        weightUnit: product.weightUnit,
        inventory: product.isSoldOut ? 0 : stock,
        ...priceFields(product.price),
        enableVariants: type !== undefined,
        variantTypes: type ? [idIn(typeIds, type)] : [],
        _status: 'published',
      },
    })
    productIds.set(product, id)
    for (const variant of product.variants?.of ?? []) {
      const created = await payload.create({
        collection: 'variants',
        data: {
          product: id,
          options: [await createOption(payload, idIn(typeIds, type ?? ''), variant)],
          sku: `${product.sku}-${variant.suffix}`,
          inventory: random.between(10, 90),
          ...(variant.weight ? { weight: variant.weight, weightUnit: product.weightUnit } : {}),
          ...priceFields(variant.price),
          _status: 'published',
        },
      })
      variantIds.set(variant, created.id)
    }
  }
  return {
    productId: (product) => idIn(productIds, product),
    variantId: (variant) => idIn(variantIds, variant),
  }
}

async function createVariantTypes(payload: Payload): Promise<Map<string, Id>> {
  const ids = new Map<string, Id>()
  for (const label of ['Size', 'Colour', 'Nib']) {
    const { id } = await payload.create({
      collection: 'variantTypes',
      data: { label, name: label.toLowerCase() },
    })
    ids.set(label, id)
  }
  return ids
}

async function createOption(payload: Payload, variantType: Id, { label, suffix }: VariantSeed) {
  const { id } = await payload.create({
    collection: 'variantOptions',
    data: { label, value: suffix.toLowerCase(), variantType },
  })
  return id
}

async function createPicture(payload: Payload, { alt, picture, slug }: ProductSeed): Promise<Id> {
  const data = Buffer.from(picture())
  const { id } = await payload.create({
    collection: 'media',
    data: { alt },
    file: { data, mimetype: 'image/svg+xml', name: `${slug}.svg`, size: data.length },
    overwriteExistingFiles: true,
  })
  return id
}

/** @throws {Error} when the seeding forgot to create what it now refers to. */
function idIn<Key>(ids: Map<Key, Id>, key: Key): Id {
  const id = ids.get(key)
  if (id === undefined) throw new Error('A document that the seeding refers to was not created')
  return id
}
