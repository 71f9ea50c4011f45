import type { DocumentId } from './order.js'

/** One line of a cart. */
export interface CartLine {
  /** Undefined until the line is stored. */
  id: string | undefined
  productId: DocumentId
  /** Undefined where the product has no variants. */
  variantId: DocumentId | undefined
  quantity: number
}

/** What a visitor has put aside to buy. */
export interface Cart {
  id: DocumentId
  /** 32 hex digits, unguessable; the order that the cart becomes has it too. */
  number: string
  lines: CartLine[]
  /** Minor units. */
  subtotal: number
  currency: string
}

/** How many things a cart holds. */
export const cartQuantity = ({ lines }: Pick<Cart, 'lines'>): number =>
  lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** Whether both lines are about the same thing to buy. */
export const isSameThing = (
  a: Pick<CartLine, 'productId' | 'variantId'>,
  b: Pick<CartLine, 'productId' | 'variantId'>,
): boolean => a.productId === b.productId && a.variantId === b.variantId
