import type { AbandonedCartLinks } from '../../../abandoned-carts.ts'

/** The links of two mails about carts that were left behind. */
export const RestoreLinks = ({ links: { customer, guest } }: { links: AbandonedCartLinks }) => (
  <>
    <h2>Bring a cart back</h2>
    <p>Open these in another browser, logged in and out, as who reads such a mail would.</p>
    <h3>A guest’s cart</h3>
    <RestoreLink url={guest} />
    <h3>A cart of zofia@example.com</h3>
    <RestoreLink url={customer} />
  </>
)

const RestoreLink = ({ url }: { url: string | undefined }) =>
  url === undefined ? (
    <p>It is bought already.</p>
  ) : (
    <p>
      <a className="long" href={url}>
        {url}
      </a>
    </p>
  )
