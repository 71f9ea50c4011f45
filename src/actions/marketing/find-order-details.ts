import { publicUrl } from '../../http/public-origin.js'
import { cartHolder } from '../../store/cart-holder.js'
import type { Carts } from '../../store/carts.js'
import type { OrderDetailsSource } from '../../store/order-details-source.js'
import type { Sites } from '../../store/sites.js'
import type { FormVisit } from '../visit.js'
import type { FindOrderDetails } from './track-action.js'

export interface OrderDetailsParts {
  details: OrderDetailsSource
  /** Undefined in a store without carts. */
  carts: Carts | undefined
  sites: Pick<Sites, 'at'>
  /** Slug of the customers' collection; undefined in a store without accounts. */
  customersSlug: string | undefined
}

/**
 * Finds the order or cart of an event (`interface.md`, Event parameters). Who has a number may send
 * what it names; an id is accepted of the visitor's own alone. Where a cart and an order of theirs
 * have the same id, the current cart is meant.
 */
export const createFindOrderDetails =
  (parts: OrderDetailsParts): FindOrderDetails =>
  async ({ form, number, id }) => {
    const { details, customersSlug } = parts
    if (number !== undefined) {
      // A cart keeps its number when it becomes an order.
      return (await details.ofOrder({ number })) ?? details.ofCart({ number })
    }
    const current = await currentCart(form, parts)
    if (current !== undefined && (id === undefined || id === String(current.id))) {
      return details.ofCart({ id: current.id })
    }
    const visitor = await form.visitor()
    const isCustomer = visitor !== undefined && visitor.collection === customersSlug
    if (id === undefined || !isCustomer) return undefined
    return details.ofOrder({ id, customerId: visitor.id })
  }

async function currentCart(form: FormVisit, { carts, sites }: OrderDetailsParts) {
  const visitor = await form.visitor()
  const site = await sites.at(publicUrl(form.request))
  return carts?.find(cartHolder(form.session.data, { visitor, site }))
}
