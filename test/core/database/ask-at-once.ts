import { expect } from 'vitest'
import type { SavedOrder } from '../../support/orders.js'
import { exportRequest, noticeRequest } from '../../support/shipping-requests.js'
import type { TestStore } from '../../support/store.js'

/** Pulls, a notice for each order and as many posts, all at once. Each is answered with 200. */
export async function askAtOnce(store: TestStore, orders: readonly SavedOrder[]): Promise<void> {
  const answers = await Promise.all([
    ...orders.map(() => store.handle(exportRequest())),
    ...orders.map(({ reference }) =>
      store.handle(noticeRequest({ order_number: reference, tracking_number: '1Z' })),
    ),
    ...orders.map((_, index) =>
      store.aBrowser().track({ email: `p${index}@example.com`, 'event[name]': 'Liked' }),
    ),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
}
