import { notFound } from 'next/navigation'

/** Addresses that the shop does not have, so that they are answered by its own page. */
export default function MissingPage() {
  notFound()
}
