import cliProgress from 'cli-progress'
import { parseArgs } from 'node:util'
import { applyEnvironment } from '../environment.ts'

const usage = `Adds many orders to the demo store.

  npm run seed -- --orders 100000`

const { values } = parseArgs({
  options: { orders: { type: 'string', short: 'n' }, help: { type: 'boolean', short: 'h' } },
  // An unknown option leads to the usage below.
  strict: false,
})
const count = typeof values.orders === 'string' ? Number(values.orders) : NaN
if (values.help === true || !Number.isInteger(count) || count < 1) {
  console.error(usage)
  process.exit(values.help === true ? 0 : 1)
}

// In production Payload does not push the schema; `npm start` has made the tables.
Object.assign(process.env, { NODE_ENV: 'production' })
applyEnvironment()
const { openStore } = await import('../open-store.ts')
const { seedOrders } = await import('./bulk-orders.ts')
const payload = await openStore()
await payload.count({ collection: 'orders' }).catch(() => {
  console.error('The store has no tables yet. Run `npm start` once, then this again.')
  process.exit(1)
})

const bar = new cliProgress.SingleBar({
  format: '  {bar} {percentage} % | {value} of {total} orders | {rate} orders/s | {left} s left',
  hideCursor: true,
  noTTYOutput: true,
  notTTYSchedule: 5000,
})
const startedAt = performance.now()
const secondsSoFar = () => (performance.now() - startedAt) / 1000
bar.start(count, 0, { left: '?', rate: 0 })
await seedOrders({
  count,
  onProgress(inserted) {
    const rate = inserted / secondsSoFar()
    bar.update(inserted, {
      left: Math.ceil((count - inserted) / rate),
      rate: Math.round(rate).toLocaleString('en'),
    })
  },
  payload,
})
bar.stop()
const rate = Math.round(count / secondsSoFar()).toLocaleString('en')
console.log(
  `${count.toLocaleString('en')} orders added in ${secondsSoFar().toFixed(1)} s (${rate} orders/s)`,
)
// Payload keeps its connections open, so the process has to end itself.
process.exit(0)
