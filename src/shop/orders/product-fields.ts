import type { Config, Field } from 'payload'
import type { Extensions } from '../../core/feature.js'
import { addFields } from '../../core/payload/field-search.js'
import { label } from '../../core/payload/label.js'
import type { ShopOptions } from '../../core/shop.js'
import { weightInGrams } from './known-packages.js'
import { fieldsIn, productSlugs } from './named-fields.js'
import { weightUnits } from './order.js'

/** Adds the fields of SKU and weight to products and variants that lack them. */
export const productExtensions = (config: Config, options: ShopOptions): Extensions =>
  Object.fromEntries(
    productSlugs(options, fieldsIn(config)).map((slug) => [
      slug,
      (collection) => ({
        ...collection,
        fields: addFields(collection.fields, productFields(options)),
      }),
    ]),
  )

function productFields({ productFields: names, products }: ShopOptions): Field[] {
  const admin = { position: 'sidebar' } as const
  const sku: Field = { name: names.sku, type: 'text', label: label('sku'), admin }
  if (!products.shipping) return [sku]
  const unit: Field = {
    name: names.weightUnit,
    type: 'select',
    label: label('weightUnit'),
    options: [...weightUnits],
    admin,
  }
  return [
    sku,
    { name: names.weight, type: 'number', label: label('weight'), min: 0, admin },
    ...(names.weight === weightInGrams ? [] : [unit]),
  ]
}
