import { expect } from 'vitest'
import type { ServedStandIn } from '../../../dev/klaviyo/serve-stand-in.ts'
import { demoApiKey } from '../../../dev/klaviyo/stand-in.ts'
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

/** The store delivers to this stand-in, as it comes. */
export const deliveredTo = ({ origin }: ServedStandIn) =>
  ({ apiUrl: origin, delivery: 'loop', settings: { privateApiKey: demoApiKey } }) as const
