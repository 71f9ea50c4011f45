import { expect, it } from 'vitest'
import { aStandIn, aWish, paths, pointersOf } from './stand-in.fixture.js'

const variant = '$custom:::$default:::7'
const inStock = (quantity: number) => ({
  body: {
    data: {
      type: 'catalog-variant-bulk-update-job',
      attributes: {
        variants: {
          data: [
            {
              type: 'catalog-variant',
              id: variant,
              attributes: { inventory_quantity: quantity },
            },
          ],
        },
      },
    },
  },
})

function soldOut() {
  const klaviyo = aStandIn({ eventSeconds: 10 })
  klaviyo.state.catalog.put('variant', '7', { inventory_quantity: 0 })
  const ask = (profile?: Record<string, unknown>, of = variant) =>
    klaviyo.call(paths.backInStock, { body: aWish(of, profile) })
  const stock = (quantity: number) =>
    klaviyo.call('/api/catalog-variant-bulk-update-jobs', inStock(quantity))
  const told = () => klaviyo.state.waiting.map(({ toldAt }) => toldAt !== undefined)
  return { klaviyo, ask, stock, told }
}

it('notes later who waits, tells them once, and takes who asks again as one', async () => {
  const { klaviyo, ask, stock, told } = soldOut()
  expect((await ask()).status).toBe(202)
  expect(told()).toEqual([])
  klaviyo.pass(10)
  expect(told()).toEqual([false])
  await ask()
  klaviyo.pass(10)
  await stock(0)
  expect(told()).toEqual([false])
  await stock(3)
  await stock(4)
  expect(told()).toEqual([true])
  expect(klaviyo.state.waiting).toMatchObject([{ arrivals: 2, variant }])
  await ask()
  klaviyo.pass(10)
  expect(told()).toEqual([true, false])
})

it('refuses what it does not have, and a channel without its address', async () => {
  const { ask } = soldOut()
  const unknown = await ask(undefined, '$custom:::$default:::8')
  expect([unknown.status, pointersOf(unknown)]).toEqual([
    404,
    ['/data/relationships/variant/data/id'],
  ])
  const nowhere = await ask({ phone_number: '+4366412345' })
  expect([nowhere.status, pointersOf(nowhere)]).toEqual([
    400,
    ['/data/attributes/profile/data/attributes/email'],
  ])
})
