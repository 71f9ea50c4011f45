import type { Client, InStatement, InValue } from '@libsql/client'
import Database from 'libsql'
import type { BasePayload } from 'payload'
import { renewBusyConnection } from '../../src/core/database/renew-busy-connection.js'
import { databaseTime, Gate, type Row, type SimulatedDatabase } from './gate.js'
import { running, type SimProcess } from './sim-process.js'

interface Prepared {
  statement: ReturnType<Database.Database['prepare']>
  /** Undefined when the statement returns no rows. */
  rowOf: ((values: unknown[]) => Row) | undefined
  readsClock: boolean
}

interface Connection {
  execute(given: InStatement): Promise<unknown>
  batch(all: InStatement[]): Promise<unknown>
}

/**
 * A SQLite database in memory that answers as `@libsql/client` does, on one connection. Most statements of a
 * simulation have been made before, so each text is prepared once.
 */
export async function memoryDatabase(base: BasePayload): Promise<SimulatedDatabase> {
  const { client } = base.db as unknown as { client: Client }
  const { rows: schema } = await client.execute(
    "select sql from sqlite_master where sql is not null and tbl_name not like 'sqlite_%'",
  )
  const database = new Database(':memory:')
  const prepared = new Map<string, Prepared>()
  for (const { sql } of schema) database.exec(String(sql))
  const tables = run("select name from sqlite_master where type = 'table'")
    .rows.map(({ name }) => String(name))
    .filter((name) => !name.startsWith('sqlite_'))
  database.exec('create table simulated_clock (at); insert into simulated_clock values (0)')
  const writeClock = database.prepare('update simulated_clock set at = ?')
  let clock = new Date(0)

  function prepare(text: string): Prepared {
    const statement = database.prepare(text.replaceAll("'now'", '(select at from simulated_clock)'))
    const columns = namesOf(statement)
    const made = {
      statement,
      rowOf: columns && rowMaker(columns),
      readsClock: text.includes("'now'"),
    }
    prepared.set(text, made)
    return made
  }

  function run(this: void, given: InStatement) {
    const { sql, args = [] } = typeof given === 'string' ? { sql: given } : given
    const { statement, rowOf, readsClock } = prepared.get(sql) ?? prepare(sql)
    if (readsClock) writeClock.run(clock.toISOString())
    const values = Object.values(args).map(storedValue)
    if (rowOf === undefined) return { rows: [], rowsAffected: statement.run(values).changes }
    const rows = statement.all(values) as unknown[][]
    return { rows: rows.map(rowOf), rowsAffected: 0 }
  }

  /** All or nothing. */
  function together<Result>(work: () => Result, isKept = true): Result {
    database.exec('SAVEPOINT "all"')
    let isDone = false
    try {
      const result = work()
      isDone = isKept
      return result
    } finally {
      database.exec(`${isDone ? '' : 'ROLLBACK TO "all"; '}RELEASE "all"`)
    }
  }

  const gate = new Gate()
  const outside: Connection = {
    execute: (given) => Promise.resolve(run(given)),
    batch: (all) => Promise.resolve(together(() => all.map(run))),
  }
  const connections = new WeakMap<SimProcess, Connection>()

  /** What the driver gives a process: after a statement that was busy it commits nothing until it is renewed. */
  function connect(process: SimProcess): Connection {
    let isStuck = false
    const ask = (label: keyof Connection, given: InStatement[], work: () => unknown) =>
      gate.pass({
        label,
        text: given.map(textOf).join(';'),
        run({ scheduler }) {
          clock = databaseTime(scheduler)
          return isStuck ? together(work, false) : work()
        },
        onRefused: () => (isStuck = true),
      })
    const connection = {
      protocol: 'file',
      // No lock keeps a connection from being set up.
      execute: (given: InStatement) =>
        String(given).startsWith('PRAGMA')
          ? Promise.resolve()
          : ask('execute', [given], () => run(given)),
      batch: (all: InStatement[]) => ask('batch', all, () => together(() => all.map(run))),
      transaction() {
        isStuck = false
        return Promise.resolve({ close: () => undefined })
      },
    }
    renewBusyConnection({ db: { client: connection } } as unknown as Pick<BasePayload, 'db'>)
    connections.set(process, connection)
    return connection
  }

  const own = () => {
    const process = running.getStore()
    return process ? (connections.get(process) ?? connect(process)) : outside
  }
  Object.assign(client, {
    execute: (given: InStatement) => own().execute(given),
    batch: (all: InStatement[]) => own().batch(all),
  })

  return {
    gate,
    tables,
    rows: (statement) => run(statement).rows,
    leave: () => undefined,
    clear() {
      run('PRAGMA foreign_keys = OFF')
      for (const table of tables) run(`delete from "${table}"`)
      run('PRAGMA foreign_keys = ON')
    },
    close: () => void database.close(),
  }
}

const textOf = (given: InStatement): string => (typeof given === 'string' ? given : given.sql)

/** `raw` throws for a statement that returns no rows. */
function namesOf(statement: Prepared['statement']): string[] | undefined {
  try {
    statement.raw(true)
  } catch {
    return undefined
  }
  return statement.columns().map(({ name }) => name)
}

const storedValue = (value: InValue) => {
  if (typeof value === 'boolean') return Number(value)
  return value instanceof Date ? value.getTime() : value
}

/** Drizzle reads the values of a row by their names or by their places. */
function rowMaker(columns: readonly string[]): (values: unknown[]) => Row {
  const inPlaces = Symbol('the values in their places')
  const places = Object.fromEntries(
    columns.map((_, place) => [
      place,
      {
        get(this: Record<symbol, unknown[]>) {
          return this[inPlaces]?.[place]
        },
      },
    ]),
  )
  const prototype = Object.defineProperties({}, { ...places, length: { value: columns.length } })
  return (values) => {
    const row = Object.create(prototype) as Row & Record<symbol, unknown>
    row[inPlaces] = values
    columns.forEach((name, place) => (row[name] ??= values[place]))
    return row
  }
}
