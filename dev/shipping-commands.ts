import { demoShippingPassword } from './environment.ts'

export interface ShippingCommands {
  /** Pulls orders as XML. */
  pull: string
  /** Posts a shipment; undefined when no order waits for one. */
  ship: string | undefined
}

/**
 * The two calls that ShipStation makes, ready to paste into a shell. A password of one's
 * own is left as the name of its variable, so that it is not written on a page.
 */
export function shippingCommands(options: {
  origin: string
  password: string | undefined
  reference: string | undefined
}): ShippingCommands {
  const { origin, password, reference } = options
  const address = `${origin}/actions/shippingconnect/orders/process`
  const isDemo = !password || password === demoShippingPassword
  const login = isDemo
    ? `shipstation:${demoShippingPassword}`
    : '"shipstation:$SHIPSTATION_PASSWORD"'
  return {
    pull: `curl -u ${login} '${address}?action=export'`,
    ship: reference && `curl -u ${login} -X POST '${address}?${shipmentOf(reference)}'`,
  }
}

const shipmentOf = (reference: string): string =>
  new URLSearchParams({
    action: 'shipnotify',
    order_number: reference,
    carrier: 'USPS',
    service: 'Priority',
    tracking_number: '9400111899223817263548',
  }).toString()
