/** Elements by name. Their content is not escaped. */
type Elements = Record<string, string>

export const element = (name: string, content: string) => `<${name}>${content}</${name}>`

const elements = (contents: Elements) =>
  Object.entries(contents)
    .map(([name, content]) => element(name, content))
    .join('')

/** The document as ShipStation sends it, order number and tracking included. */
export const shipNotice = (changes: Elements = {}, items: Elements[] = []): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n${element(
    'ShipNotice',
    elements({
      OrderID: '123456',
      CustomerCode: 'ada@example.com',
      CustomerNotes: '',
      NotifyCustomer: 'false',
      LabelCreateDate: '12/8/2011 12:56 PM',
      ShipDate: '12/8/2011',
      Carrier: 'USPS',
      Service: 'Priority Mail',
      TrackingNumber: '9400111206213835724410',
      ShippingCost: '4.95',
      Recipient: element('Name', 'Ada Lovelace'),
      Items: items.map((item) => element('Item', elements(item))).join(''),
      ...changes,
    }),
  )}`

/** The tracking entry that the document above makes. */
export const entryOfDocument = {
  carrier: 'USPS',
  service: 'Priority Mail',
  trackingNumber: '9400111206213835724410',
}
