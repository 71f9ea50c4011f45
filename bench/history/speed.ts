import { sql } from 'drizzle-orm'
import type { NewSend } from '../../src/marketing/delivery/send.js'
import type { Message } from '../../src/marketing/klaviyo/message.js'
import { parsedJson } from '../../src/core/database/json-rows.js'
import { sendTable } from '../../src/marketing/delivery/send-table.js'
import { wholePartsOf } from '../../test/support/parts.js'
import { copyPastOrders } from '../../test/support/past-orders.js'
import type { TemplateDatabases } from '../../test/support/databases.js'
import { interleave } from '../interleave.js'
import { openDatabase, type BenchDatabase, type Ground } from '../marketing/bench-database.js'
import { report, shown, tell } from '../goals.js'
import { eventsOfOrder, period } from './past-orders.js'
import type { Sizes } from './sizes.js'

/** As many as a page of the history has. */
const sendsAtOnce = 300

/** How fast orders are read and their events composed and stored, against storing the same events only. */
export async function benchSpeed(
  databases: TemplateDatabases,
  ground: Ground,
  { speedOrders, rounds }: Sizes,
): Promise<void> {
  console.log(`\n${ground}: ${shown(speedOrders)} orders into the queue`)
  const store = await openDatabase(databases, ground)
  await copyPastOrders(store.payload, speedOrders)
  const { histories, historyWork: work, outbox } = await wholePartsOf(store.payload)

  const sendHistory = async (): Promise<number> => {
    await forget(store)
    await histories.start(period, { startedBy: undefined })
    for (;;) {
      const run = await work.current()
      if (run === undefined) break
      await work.step(run)
    }
    return (await histories.latest())?.events ?? 0
  }
  await sendHistory()
  const sends = await readSends(store)

  const [history, floor] = await interleave(
    [
      { name: 'history', run: sendHistory },
      {
        name: 'floor',
        async run() {
          await forget(store)
          for (let first = 0; first < sends.length; first += sendsAtOnce) {
            await outbox.store(sends.slice(first, first + sendsAtOnce))
          }
          return sends.length
        },
      },
    ],
    { rounds, work: speedOrders * eventsOfOrder },
  )
  if (history === undefined || floor === undefined) throw new Error('An arm was not measured.')
  const perSecond = (ms: number) => `${shown((sends.length / ms) * 1000)}/s`
  tell('events read, composed and stored', perSecond(history.medianMs))
  tell('the same events stored alone', perSecond(floor.medianMs))
  report('time against the floor', history.medianMs / floor.medianMs, { atMost: 2 })
}

async function forget({ database }: BenchDatabase): Promise<void> {
  await database.run(sql`delete from ${database.table('marketing-sends')}`)
  await database.run(sql`delete from ${database.table('marketing-histories')}`)
}

async function readSends({ database }: BenchDatabase): Promise<NewSend[]> {
  const { table, bare } = sendTable(database)
  const rows = await database.rows(sql`select ${bare.key} as "key", ${bare.message} as "message"
    from ${table} order by ${bare.id}`)
  return rows.map(({ key, message }) => ({
    key: String(key),
    message: parsedJson(message) as Message,
    acceptedAt: new Date(),
  }))
}
