import type { Order } from '../../../payload-types.ts'

/** Where the parcel goes, and what is on its card. */
export const Destination = ({ order: { giftMessage, shippingAddress } }: { order: Order }) => (
  <>
    <h2>Where it goes</h2>
    <address>
      {addressLines(shippingAddress ?? {}).map((line, index) => (
        <span key={index}>{line}</span>
      ))}
    </address>
    {giftMessage && (
      <>
        <h2>On the card</h2>
        <p className="card-text">{giftMessage}</p>
      </>
    )}
  </>
)

const addressLines = (address: NonNullable<Order['shippingAddress']>): string[] =>
  [
    [address.firstName, address.lastName],
    [address.company],
    [address.addressLine1],
    [address.addressLine2],
    [address.postalCode, address.city],
    [address.state],
    [address.country],
  ]
    .map((words) => words.filter(Boolean).join(' '))
    .filter((line) => line !== '')
