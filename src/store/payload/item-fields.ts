import type { Field } from 'payload'
import { amountField, type AmountParts } from './amount-field.js'
import { label } from './label.js'

/** What a line of an order keeps of its product as it was when bought. */
export const itemFields = (amounts: AmountParts): Field[] => [
  { name: 'name', type: 'text', label: label('itemName') },
  { name: 'sku', type: 'text', label: label('sku') },
  amountField({ name: 'unitPrice', title: 'unitPrice' }, amounts),
  { name: 'weight', type: 'number', label: label('weight'), min: 0 },
  {
    name: 'weightUnit',
    type: 'select',
    label: label('weightUnit'),
    options: ['g', 'kg', 'oz', 'lb'],
  },
  { name: 'imageUrl', type: 'text', label: label('imageUrl') },
  // For the link to the product's page; of no use to people.
  { name: 'slug', type: 'text', admin: { hidden: true } },
  {
    name: 'options',
    type: 'array',
    label: label('options'),
    fields: [
      {
        type: 'row',
        fields: [
          { name: 'name', type: 'text', label: label('optionName') },
          { name: 'value', type: 'text', label: label('optionValue') },
        ],
      },
    ],
  },
]
