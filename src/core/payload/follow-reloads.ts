import type { BasePayload } from 'payload'

interface Work {
  begin: () => Promise<void>
  end: () => Promise<void>
}

/**
 * Follows the development server, which puts a changed config into Payload without a start: it closes the
 * database and connects again. The work ends before that, and begins again with what has changed.
 */
export function followReloads({ db }: Pick<BasePayload, 'db'>, { begin, end }: Work): void {
  const { connect, destroy } = db
  db.destroy = async () => {
    await end()
    await destroy?.call(db)
  }
  db.connect = async (args) => {
    await connect?.call(db, args)
    if (args?.hotReload === true) await begin()
  }
}
