import { z } from 'zod'

import {
  decimal,
  elements,
  flag,
  integer,
  optionalText,
  text,
  weightUnits,
} from './schema-values.ts'

const option = elements({ Name: text(100), Value: text(100) }).transform((found) => ({
  name: found.Name,
  value: found.Value,
}))

/** One line of an order. */
export const item = elements({
  LineItemID: optionalText(50),
  SKU: text(100),
  Name: text(200),
  Weight: decimal.default(0),
  Quantity: integer,
  UnitPrice: decimal,
  ImageUrl: optionalText(),
  WeightUnits: weightUnits.default(''),
  Adjustment: flag.default(false),
  Options: elements({ Option: z.array(option).max(100).default([]) }).optional(),
}).transform((found) => ({
  lineItemId: found.LineItemID,
  sku: found.SKU,
  name: found.Name,
  weight: found.Weight,
  quantity: found.Quantity,
  unitPrice: found.UnitPrice,
  imageUrl: found.ImageUrl,
  weightUnits: found.WeightUnits,
  /** A discount or the like: nothing to ship. */
  adjustment: found.Adjustment,
  options: found.Options?.Option ?? [],
}))
