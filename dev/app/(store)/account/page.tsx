import config from '@payload-config'
import type { Metadata } from 'next'
import { getPayload } from 'payload'
import type { Order, User } from '../../../payload-types.ts'
import { readVisitor } from '../../../storeconnect.ts'
import { siteLinks } from '../site-links.ts'
import { Letters } from './letters.tsx'
import { OrderRow } from './order-row.tsx'
import '../styles/orders.css'

export const metadata: Metadata = { title: 'Your account' }

/** The newest of them. */
const shownOrders = 20

type VisitorId = NonNullable<Awaited<ReturnType<typeof readVisitor>>>['id']

interface AccountProps {
  searchParams: Promise<{ letters?: string | string[] }>
}

export default async function AccountPage({ searchParams }: AccountProps) {
  const [visitor, link] = await Promise.all([readVisitor(), siteLinks()])
  if (!visitor) {
    return (
      <section className="page">
        <h1>Your account</h1>
        <p>
          <a href={link('/login')}>Log in</a> to see your orders.
        </p>
      </section>
    )
  }
  const [customer, orders] = await Promise.all([customerOf(visitor.id), ordersOf(visitor.id)])
  const isAsked = (await searchParams).letters === 'asked'
  return (
    <section className="page">
      <h1>Your account</h1>
      <p>You are logged in as {customer.email}.</p>
      <h2>Your orders</h2>
      {orders.length === 0 ? (
        <p>
          There are none yet. <a href={link('/')}>To the shop</a>
        </p>
      ) : (
        <ul className="orders">
          {orders.map((order) => (
            <OrderRow key={order.id} link={link} order={order} />
          ))}
        </ul>
      )}
      <Letters customer={customer} isAsked={isAsked} />
    </section>
  )
}

async function customerOf(id: VisitorId): Promise<User> {
  const payload = await getPayload({ config })
  return payload.findByID({ collection: 'users', depth: 0, id, joins: false })
}

async function ordersOf(customerId: VisitorId): Promise<Order[]> {
  const payload = await getPayload({ config })
  const { docs } = await payload.find({
    collection: 'orders',
    depth: 0,
    joins: false,
    limit: shownOrders,
    pagination: false,
    sort: '-createdAt',
    where: { customer: { equals: customerId } },
  })
  return docs
}
