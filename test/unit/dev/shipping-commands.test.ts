import { expect, it } from 'vitest'
import { shippingCommands } from '../../../dev/shipping-commands.ts'

const origin = 'http://127.0.0.1:3000'

it('writes both calls ready to paste', () => {
  expect(
    shippingCommands({ origin, password: 'shipstation-demo', reference: 'AB12-CD34' }),
  ).toEqual({
    pull: "curl -u shipstation:shipstation-demo 'http://127.0.0.1:3000/actions/shippingconnect/orders/process?action=export'",
    ship: "curl -u shipstation:shipstation-demo -X POST 'http://127.0.0.1:3000/actions/shippingconnect/orders/process?action=shipnotify&order_number=AB12-CD34&carrier=USPS&service=Priority&tracking_number=9400111899223817263548'",
  })
})

it('never writes down a password of one’s own', () => {
  const commands = shippingCommands({ origin, password: 'hunter2', reference: 'AB12-CD34' })
  expect(JSON.stringify(commands)).not.toContain('hunter2')
  expect(commands.pull).toContain('"shipstation:$SHIPSTATION_PASSWORD"')
})

it('leaves the shipment out when no order waits for one', () => {
  expect(
    shippingCommands({ origin, password: undefined, reference: undefined }).ship,
  ).toBeUndefined()
})
