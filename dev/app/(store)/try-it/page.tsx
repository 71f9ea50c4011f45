import config from '@payload-config'
import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { getPayload } from 'payload'
import { abandonedCartLinks } from '../../../abandoned-carts.ts'
import { shippingCommands } from '../../../shipping-commands.ts'
import { waitingOrderReference } from '../../../waiting-order.ts'
import { RestoreLinks } from './restore-links.tsx'
import { ShippingCalls } from './shipping-calls.tsx'
import '../styles/try-it.css'

export const metadata: Metadata = { title: 'Try it' }

/** For developers: what to open, follow and paste. */
export default async function TryItPage() {
  const payload = await getPayload({ config })
  const [links, reference, requestHeaders] = await Promise.all([
    abandonedCartLinks(payload),
    waitingOrderReference(payload),
    headers(),
  ])
  const commands = shippingCommands({
    origin: `http://${requestHeaders.get('host') ?? '127.0.0.1:3000'}`,
    password: process.env.SHIPSTATION_PASSWORD,
    reference,
  })
  return (
    <section className="page try-it">
      <h1>Try it</h1>
      <p>
        Orders, carts, sites and all settings are in the <a href="/admin">admin</a>. The terminal
        that runs the store lists who can log in.
      </p>
      <RestoreLinks links={links} />
      <ShippingCalls commands={commands} />
    </section>
  )
}
