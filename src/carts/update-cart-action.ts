import type { Contributions } from '../core/feature.js'
import { cartQuantity, type Cart, withCart } from './cart.js'
import { invalidParameter } from '../core/http/parameter-tree.js'
import { addNotice } from '../core/http/session.js'
import { prefersJson } from '../core/http/request-headers.js'
import { isSecure, publicUrl } from '../core/http/public-origin.js'
import type { ActionRequest } from '../core/http/request-body.js'
import { additionsCookie } from './additions-cookie.js'
import { cartHolder, customerOf, type CartHolder } from './find-cart.js'
import type { Carts } from './carts.js'
import type { CartSchema } from './cart-documents.js'
import { createPurchasables, type Purchasables } from './purchasables.js'
import type { Shop } from '../core/shop.js'
import type { SiteParts } from '../shop/sites/parts.js'
import type { Visitor, FormVisit } from '../core/http/visit.js'
import type { Reply } from '../core/http/reply.js'
import { formReply } from '../core/http/form-action.js'
import {
  changedLines,
  type CartChange,
  isEmptyChange,
  readCartChange,
  type AskedCartChange,
} from './cart-change.js'

/** Changes the visitor's cart by the form's parameters. */
export function createUpdateCart(
  { payload, customersSlug }: Shop,
  {
    carts,
    schema,
    sites,
    texts,
    cartPosts,
  }: SiteParts & Pick<Contributions, 'cartPosts'> & { carts: Carts; schema: CartSchema },
) {
  const purchasables = createPurchasables(payload, schema)
  return async (form: FormVisit): Promise<Reply> => {
    const asked = readCartChange(form.tree)
    const notes = cartPosts().flatMap((read) => read(form) ?? [])
    const visitor = await form.visitor()
    const { cartId } = form.session.data
    const site = await sites.at(publicUrl(form.request))
    const holder = cartHolder(form.session.data, { visitor, site })
    const isAsked = !isEmptyChange(asked)
    // A note of an account is lost with a cart that becomes the account's afterwards.
    if (notes.length > 0) await carts.adopt(holder)
    const cart = isAsked
      ? await updateCart(carts, holder, await withThings(asked, purchasables, visitor))
      : await carts.find(holder)

    if (cart !== undefined) {
      const isCustomer = customerOf(visitor, { customersSlug }) !== undefined
      for (const note of notes)
        await note({ id: cart.id, customer: isCustomer ? visitor : undefined })
    }
    if (cart?.id !== cartId) {
      // A cart of another commerce store is kept until the visitor is back in that store.
      const kept = (await carts.isOfAnotherCommerceStore(holder)) ? cartId : undefined
      if (cart !== undefined) form.session.change(withCart(form.session.data, cart.id, kept))
      else if (kept === undefined) form.session.change({ cartId: undefined })
    }
    if (isAsked && !prefersJson(form.request.headers)) {
      const { cartUpdated } = await texts(site, form.request.headers)
      addNotice(form.session, cartUpdated)
    }
    const reply = formReply(form, { ajax: summaryOf(cart) })
    if (form.session.data.hasOnsiteConsent) noteAdditions(reply, form.request, asked)
    return reply
  }
}

/** Tells the next page what was added, for its Added to Cart. */
function noteAdditions(reply: Reply, request: ActionRequest, { additions }: AskedCartChange): void {
  const added = additions.filter(({ quantity }) => quantity > 0)
  if (added.length === 0) return
  reply.headers.append('set-cookie', additionsCookie(added, request.headers, isSecure(request)))
}

async function updateCart(
  carts: Carts,
  holder: CartHolder,
  change: CartChange,
): Promise<Cart | undefined> {
  // A post that adds nothing creates no cart, but its parameters are still validated.
  const isAdding = change.additions.some(({ quantity }) => quantity > 0)
  if (!isAdding && (await carts.find(holder)) === undefined) {
    changedLines({ lines: [], currency: '' }, change)
    return undefined
  }
  return carts.update(holder, (cart) => changedLines(cart, change))
}

async function withThings(
  asked: AskedCartChange,
  purchasables: Purchasables,
  visitor: Visitor | undefined,
): Promise<CartChange> {
  const things = await purchasables.find(
    asked.additions.map(({ ids }) => ids),
    visitor,
  )
  const additions = asked.additions.map(({ field, quantity }, index) => {
    const thing = things[index]
    if (thing === undefined) {
      throw invalidParameter(`The parameter "${field}" does not name something that can be bought.`)
    }
    return { field, thing, quantity }
  })
  return { ...asked, additions }
}

export type CartSummary = ReturnType<typeof summaryOf>

/** What a page learns about a cart. It never has the secret that opens the cart. */
const summaryOf = (cart: Cart | undefined) => ({
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
