import type { Config } from 'payload'
import type { ShopNames } from '../../core/shop-names.js'
import { withPackageFields } from './known-packages.js'
import { fieldsIn, productFieldProblem, productSlugs } from './named-fields.js'
import { defaultProductFields } from './order-options.js'

/** Where the products of Payload's ecommerce template have their picture. */
const galleryImage = 'gallery.0.image'

/** The options with the names of fields that are found where the store names none. */
export function withFoundFields<Options extends ShopNames>(
  options: Options,
  config: Pick<Config, 'collections'>,
): Options {
  const fieldsOf = fieldsIn(config)
  const [products = ''] = productSlugs(options, fieldsOf)
  const of = {
    orders: fieldsOf(options.collections.orders) ?? [],
    products: fieldsOf(products) ?? [],
  }
  return withGalleryImage({ ...options, ...withPackageFields(options, of) }, config)
}

/** The options with the picture that products have in a gallery, where they have none under the default name. */
function withGalleryImage<Options extends ShopNames>(
  options: Options,
  config: Pick<Config, 'collections'>,
): Options {
  const { productFields } = options
  const where = { fieldsOf: fieldsIn(config) }
  const inGallery = { ...options, productFields: { ...productFields, image: galleryImage } }
  const isDefault = productFields.image === defaultProductFields.image
  const hasNone = productFieldProblem('image', options, where) !== undefined
  const hasGallery = productFieldProblem('image', inGallery, where) === undefined
  return isDefault && hasNone && hasGallery ? inGallery : options
}
