import type { BasePayload } from 'payload'
import { Client, Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg'
import { databaseTime, Gate, type Row, type SimulatedDatabase } from './gate.js'
import { running, type SimProcess } from './sim-process.js'

/** PostgreSQL ends one of two transactions that wait for each other after this time of the real clock. */
const deadlockMs = 20
/** How long a statement has before somebody asks what it waits for. */
const unaskedMs = 4

type Given = string | QueryConfig

/** A connection that a process has. */
interface Held {
  client: PoolClient
  process: SimProcess
  isLost: boolean
}

/**
 * A real PostgreSQL server. A process keeps its connection as long as its transaction takes; whoever waits for
 * the lock of another waits until the simulation lets that one go on.
 */
export async function postgresDatabase(url: string, base: BasePayload): Promise<SimulatedDatabase> {
  const gate = new Gate()
  const pool = new Pool({
    connectionString: url,
    max: 50,
    options: `-c deadlock_timeout=${deadlockMs}ms -c synchronous_commit=off`,
  })
  pool.on('error', () => undefined)
  const names = new Map<string, string>()
  const held = new Set<Held>()
  const lost = new Set<Held>()
  // One at a time, so that answers come in the order of the questions.
  const control = new Client(url)
  await control.connect()
  let last: Promise<unknown> = Promise.resolve()
  const rows = async (statement: string): Promise<Row[]> => {
    const asked = last.then(() => control.query<Row>(statement))
    last = asked
    return (await asked).rows
  }
  const tables = (
    await rows("select tablename from pg_tables where schemaname = 'public' order by tablename")
  ).map(({ tablename }) => String(tablename))

  const isWaiting = async (one: Held): Promise<boolean> => {
    const [row] = await rows(`select cardinality(pg_blocking_pids(${pidOf(one)})) > 0 as "is"`)
    return row?.is === true
  }

  /** The server forgets what these connections have begun. */
  async function endLost(): Promise<void> {
    for (const one of [...lost]) {
      lost.delete(one)
      await rows(`select pg_terminate_backend(${pidOf(one)}, 10000)`)
      one.client.release(new Error('It is lost.'))
    }
  }

  function lose(one: Held): void {
    if (one.isLost) return
    one.isLost = true
    held.delete(one)
    lost.add(one)
  }

  async function take(process: SimProcess): Promise<Held> {
    const client = await pool.connect()
    client.on('error', () => undefined)
    const one = { client, process, isLost: false }
    held.add(one)
    return one
  }

  function giveBack(one: Held): void {
    if (!held.delete(one)) return
    one.client.removeAllListeners('error')
    one.client.release()
  }

  /** Each connection parses a statement once, except one that reads the clock. */
  function prepared(text: string, { scheduler }: SimProcess): { text: string; name?: string } {
    if (text.includes('clock_timestamp()'))
      return {
        text: text.replaceAll(
          'clock_timestamp()',
          `'${databaseTime(scheduler).toISOString()}'::timestamptz`,
        ),
      }
    const name = names.get(text) ?? `statement ${names.size}`
    names.set(text, name)
    return { text, name }
  }

  /** @param tied The connection of its transaction. */
  async function ask(tied: Held | undefined, given: Given, values?: unknown[]) {
    const config = typeof given === 'string' ? { text: given } : given
    let one = tied
    let isDone = false
    try {
      return await gate.pass({
        label: config.text.trimStart().split(/\s/, 1)[0] ?? '',
        text: config.text,
        async run(process) {
          await endLost()
          one ??= await take(process)
          if (one.isLost) throw new Error('The connection was lost.')
          try {
            return await one.client.query({ ...config, ...prepared(config.text, process) }, values)
          } finally {
            isDone = true
          }
        },
        async isStuck() {
          for (;;) {
            await new Promise((resolve) => void setTimeout(resolve, unaskedMs))
            if (isDone || one === undefined || one.isLost) return false
            if (await isWaiting(one)) return true
          }
        },
        onLost: () => void (one && lose(one)),
      })
    } finally {
      if (tied === undefined && one !== undefined) giveBack(one)
    }
  }

  const gated = {
    /** In a transaction of its own. */
    async query(given: Given, values?: unknown[]): Promise<QueryResult> {
      return running.getStore() ? ask(undefined, given, values) : pool.query(given, values)
    },
    async connect() {
      if (running.getStore() === undefined) return pool.connect()
      const one = await gate.pass({ label: 'connect', text: 'connect', run: take })
      return {
        query: (given: Given, values?: unknown[]) => ask(one, given, values),
        release: () => giveBack(one),
      }
    },
    /** Nobody hears a notification, as behind a pooler of transactions. */
    Client: class {
      connect = () => Promise.resolve()
      query = () => Promise.resolve()
      on = () => undefined
      end = () => Promise.resolve()
    },
  }
  Object.assign((base.db as unknown as { pool: object }).pool, gated)

  return {
    gate,
    tables,
    rows,
    leave(process) {
      for (const one of held) if (one.process === process) lose(one)
    },
    async clear() {
      for (const one of held) lose(one)
      await endLost()
      const all = tables.map((name) => `delete from "${name}"`).join(';')
      await rows(`set session_replication_role = replica; ${all}; reset session_replication_role`)
      await rows(`select setval(oid::regclass, 1, false) from pg_class
        where relkind = 'S' and relnamespace = 'public'::regnamespace`)
    },
    async close() {
      await control.end()
      await pool.end()
    },
  }
}

const pidOf = ({ client }: Held) => (client as unknown as { processID: number }).processID
