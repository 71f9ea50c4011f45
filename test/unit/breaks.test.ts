import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { alertsBreaks } from '../breaks/alerts-breaks.js'
import { catalogBreaks } from '../breaks/catalog-breaks.js'
import { couponsBreaks } from '../breaks/coupons-breaks.js'
import { deliveryBreaks } from '../breaks/delivery-breaks.js'
import { formsBreaks } from '../breaks/forms-breaks.js'
import { shippingBreaks } from '../breaks/shipping-breaks.js'
import { simulationBreaks } from '../breaks/simulation-breaks.js'

const ofTests = [
  alertsBreaks,
  catalogBreaks,
  couponsBreaks,
  deliveryBreaks,
  formsBreaks,
  shippingBreaks,
].flat()

it.each([...ofTests, ...simulationBreaks])(
  '`npm run breaks` can still break $file: $fault',
  ({ file, from }) => {
    expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2)
  },
)

it('`npm run breaks` names tests that are there', () => {
  const named = new Set(ofTests.flatMap(({ tests }) => tests))
  const isThere = (path: string) => existsSync(path) || existsSync(`${path}.test.ts`)
  expect([...named].filter((path) => !isThere(path))).toEqual([])
})
