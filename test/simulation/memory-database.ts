import type { InStatement, InValue } from '@libsql/client'
import Database from 'libsql'

export type MemoryDatabase = ReturnType<typeof memoryDatabase>

interface Prepared {
  statement: ReturnType<Database.Database['prepare']>
  /** Undefined when the statement returns no rows. */
  rowOf: ((values: unknown[]) => Row) | undefined
  readsClock: boolean
}

/**
 * A SQLite database in memory that answers as `@libsql/client` does. Most statements of a simulation have
 * been made before, so each text is prepared once.
 */
export function memoryDatabase(schema: readonly string[]) {
  const database = new Database(':memory:')
  const prepared = new Map<string, Prepared>()
  for (const statement of schema) database.exec(statement)
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

  return {
    execute: run,

    /** All or nothing. */
    batch(this: void, statements: readonly InStatement[]) {
      database.exec('BEGIN')
      try {
        const results = statements.map(run)
        database.exec('COMMIT')
        return results
      } finally {
        if (database.inTransaction) database.exec('ROLLBACK')
      }
    },

    /** Sets the database's clock. */
    setClock(at: Date): void {
      clock = at
    },

    /** Deletes all rows. */
    clear(): void {
      run('PRAGMA foreign_keys = OFF')
      for (const table of tables) run(`delete from "${table}"`)
      run('PRAGMA foreign_keys = ON')
    },

    close: () => database.close(),
  }
}

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

type Row = Record<string, unknown>

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
