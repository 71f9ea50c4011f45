import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { siteLinks } from '../../site-links.ts'
import { customerIdOf, findOrder } from '../find-order.ts'
import { OrderAmounts } from '../order-amounts.tsx'
import { OrderLines } from '../order-lines.tsx'
import { OrderStatus } from '../order-status.tsx'
import { Destination } from '../destination.tsx'
import { Tracking } from '../tracking.tsx'
import '../../styles/orders.css'

export const metadata: Metadata = {
  title: 'Your order',
  // The address is the key to a guest's order.
  referrer: 'no-referrer',
  robots: { index: false },
}

interface OrderPageProps {
  params: Promise<{ number: string }>
}

export default async function OrderPage({ params }: OrderPageProps) {
  const order = await findOrder((await params).number)
  if (!order) notFound()
  const link = await siteLinks()
  const isOfAccount = customerIdOf(order) !== undefined
  return (
    <section className="page order">
      <h1>Thank you for your order</h1>
      <p>
        It has the number <strong className="reference">{order.reference}</strong>.{' '}
        <OrderStatus status={order.status} />
      </p>
      <Tracking tracking={order.tracking} />
      <h2>What you bought</h2>
      <OrderLines order={order} />
      <OrderAmounts order={order} />
      {/* A guest's page shows nothing of a person: a link is soon passed on. */}
      {isOfAccount && <Destination order={order} />}
      <p>
        {isOfAccount && (
          <>
            <a href={link('/account')}>Your orders</a> ·{' '}
          </>
        )}
        <a href={link('/')}>Back to the shop</a>
      </p>
    </section>
  )
}
