import { cartQuantity, type Cart } from '../../commerce/cart.js'
import type { DocumentId } from '../../commerce/order.js'
import { Problem } from '../../errors.js'
import { addNotice } from '../../http/flash-notice.js'
import { prefersJson } from '../../http/prefers-json.js'
import { publicUrl } from '../../http/public-origin.js'
import { cartHolder } from '../../store/cart-holder.js'
import type { CartHolder, Carts } from '../../store/carts.js'
import type { Catalogue } from '../../store/catalogue.js'
import type { ReadPageTexts } from '../../store/page-texts.js'
import type { Sites } from '../../store/sites.js'
import type { Visitor } from '../../store/visitor.js'
import { withCart } from '../../http/session-carts.js'
import type { Reply } from '../../http/reply.js'
import { formReply } from '../form-action.js'
import type { FormVisit } from '../visit.js'
import { changedLines, type CartChange } from './cart-change.js'
import { isEmptyChange, readCartChange, type AskedCartChange } from './cart-parameters.js'

export interface CartActionParts {
  carts: Carts
  catalogue: Catalogue
  sites: Sites
  texts: ReadPageTexts
}

/** What a page learns of a cart. Never its secret, which is the key to it. */
export interface CartSummary {
  id: DocumentId | null
  number: string | null
  items: {
    id: string
    productId: DocumentId
    variantId: DocumentId | null
    quantity: number
  }[]
  /** Of all lines together. */
  quantity: number
  /** Minor units. */
  subtotal: number
  currency: string | null
}

/** Changes the visitor's cart, as the form's parameters say. */
export const createUpdateCart =
  ({ carts, catalogue, sites, texts }: CartActionParts) =>
  async (form: FormVisit): Promise<Reply> => {
    const asked = readCartChange(form.tree)
    const visitor = await form.visitor()
    const { cartId } = form.session.data
    const site = await sites.at(publicUrl(form.request))
    const holder = cartHolder(form.session.data, { visitor, site })
    const isAsked = !isEmptyChange(asked)
    const cart = isAsked
      ? await updateCart({ carts, catalogue }, { asked, holder })
      : await carts.find(holder)

    if (cart?.id !== cartId) {
      // The cart of another commerce store waits until the visitor is there again.
      const kept = (await carts.isOfAnotherStore(holder)) ? cartId : undefined
      if (cart !== undefined) form.session.change(withCart(form.session.data, cart.id, kept))
      else if (kept === undefined) form.session.change({ cartId: undefined })
    }
    if (isAsked && !prefersJson(form.request.headers)) {
      addNotice(form.session, texts(site?.language ?? '').cartUpdated)
    }
    return formReply(form, { ajax: summaryOf(cart) })
  }

async function updateCart(
  { carts, catalogue }: Pick<CartActionParts, 'carts' | 'catalogue'>,
  { asked, holder }: { asked: AskedCartChange; holder: CartHolder },
): Promise<Cart | undefined> {
  const change = await withThings(asked, catalogue, holder.visitor)
  // Nothing to take out of a cart that nobody has, and no cart for nothing.
  const isAdding = change.additions.some(({ quantity }) => quantity > 0)
  if (!isAdding && (await carts.find(holder)) === undefined) {
    changedLines({ lines: [], currency: '' }, change)
    return undefined
  }
  return carts.update(holder, (cart) => changedLines(cart, change))
}

async function withThings(
  asked: AskedCartChange,
  catalogue: Catalogue,
  visitor: Visitor | undefined,
): Promise<CartChange> {
  const things = await catalogue.find(
    asked.additions.map(({ ids }) => ids),
    visitor,
  )
  const additions = asked.additions.map(({ field, quantity }, index) => {
    const thing = things[index]
    if (thing === undefined) {
      throw new Problem('PARAMETER_INVALID', {
        message: `The parameter "${field}" does not name something that can be bought.`,
      })
    }
    return { field, thing, quantity }
  })
  return { ...asked, additions }
}

export const summaryOf = (cart: Cart | undefined): CartSummary => ({
  id: cart?.id ?? null,
  number: cart?.number ?? null,
  items: (cart?.lines ?? []).map(({ id, productId, variantId, quantity }) => ({
    id: id ?? '',
    productId,
    variantId: variantId ?? null,
    quantity,
  })),
  quantity: cart ? cartQuantity(cart) : 0,
  subtotal: cart?.subtotal ?? 0,
  currency: cart?.currency ?? null,
})
