import type { BasePayload } from 'payload'

interface Work {
  begin: () => Promise<void>
  end: () => Promise<void>
}

/**
 * The development server changes the config without a start: the work ends before it, and begins again with the
 * changes.
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
