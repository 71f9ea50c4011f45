import type { ServedStandIn } from './klaviyo/serve-stand-in.ts'
import { beginAnew } from './begin-anew.ts'
import { abandonedCartLinks } from './abandoned-carts.ts'
import type { StoreEnvironment } from './environment.ts'
import { accounts } from './seed/accounts.ts'
import { sitesAt } from './seed/sites.ts'
import type { ServedStore } from './serve.ts'
import { shippingCommands } from './shipping-commands.ts'
import { waitingOrderReference } from './waiting-order.ts'

/** What to open, who can log in and what to paste, once the store is up. */
export async function welcome(
  { origin, payload }: ServedStore,
  klaviyo: ServedStandIn | undefined,
  environment: StoreEnvironment,
): Promise<string> {
  const { pull, ship } = shippingCommands({
    origin,
    password: process.env.SHIPSTATION_PASSWORD,
    reference: await waitingOrderReference(payload),
  })
  const links = await abandonedCartLinks(payload)
  return [
    '',
    ...sitesAt(origin).map(
      ({ baseUrl, name }, index) =>
        `  ${index === 0 ? 'Store ' : '      '}  ${baseUrl}/  (${name})`,
    ),
    `  Try it  ${origin}/try-it  (what a developer wants to see)`,
    `  Admin   ${origin}/admin`,
    ...(klaviyo ? [`  Klaviyo ${klaviyo.origin}/  (a stand-in: shows what the store sends)`] : []),
    '',
    '  Accounts',
    ...accounts.map(({ email, password, role }) => `    ${role.padEnd(9)} ${email}  ${password}`),
    ...restoreLines('a guest left behind', links.guest),
    ...restoreLines('zofia@example.com left behind', links.customer),
    '',
    '  Pull the orders as XML, as ShipStation does',
    `    ${pull}`,
    ...(ship ? ['', '  Tell the store that an order was shipped', `    ${ship}`] : []),
    '',
    '  Ctrl+C ends it. The data stays. To begin anew:',
    `    ${beginAnew(environment)}`,
    '',
  ].join('\n')
}

const restoreLines = (whose: string, link: string | undefined): string[] =>
  link === undefined ? [] : ['', `  The cart that ${whose}`, `    ${link}`]
