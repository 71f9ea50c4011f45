import type { BasePayload } from 'payload'
import { beforeStatements } from '../../support/before-statements.js'

interface Client {
  query: (...args: unknown[]) => unknown
}

type Connect = (...args: unknown[]) => Promise<Client> | undefined

/**
 * Has a process die ahead of the statement of this number, inside a transaction too, which is rolled back then.
 * `revive` ends this, and says whether it died.
 */
export function dieAt({ db }: BasePayload, statement: number): { revive: () => boolean } {
  let left = statement
  const count = () => {
    left -= 1
    if (left <= 0) throw new Error('The process is dead')
  }
  const end = beforeStatements({ db } as BasePayload, count)
  const { pool } = db as unknown as { pool?: { connect: Connect } }
  const connect = pool?.connect
  const restored: (() => void)[] = []
  if (pool && connect) {
    pool.connect = (...args) => {
      const connected = connect.apply(pool, args)
      // With a callback it is the pool's own query, which is counted already.
      if (args.length > 0 || connected === undefined) return connected
      return connected.then((client) => {
        const { query } = client
        restored.push(() => (client.query = query))
        client.query = (...given) => {
          try {
            count()
          } catch (error) {
            // As the database does when a connection breaks.
            return Promise.resolve(query.call(client, 'rollback')).then(() => {
              throw error
            })
          }
          return query.apply(client, given)
        }
        return client
      })
    }
  }
  return {
    revive() {
      end()
      if (pool && connect) pool.connect = connect
      for (const restore of restored) restore()
      return left <= 0
    },
  }
}
