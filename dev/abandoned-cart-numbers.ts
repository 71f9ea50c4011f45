/**
 * Numbers of two seeded carts that somebody left behind. Known, unlike all others, so that the links
 * that bring them back can be printed.
 */
export const abandonedCartNumbers = {
  guest: '5eedca47000000000000000000009e57',
  customer: '5eedca47000000000000000000c05703',
}
