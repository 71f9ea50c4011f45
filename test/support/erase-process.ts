import { randomUUID } from 'node:crypto'
import { getPayload } from 'payload'
import { storeConfig, type DatabaseKind } from './store-config.js'

// A store in a process of its own, to be killed in the middle of an erasure: it deletes an account, says
// `erasing`, and goes no further.
const [kind = 'sqlite', url = '', email = ''] = process.argv.slice(2)
const config = await storeConfig({
  kind: kind as DatabaseKind,
  url,
  userAuth: { verify: true },
  options: {
    marketing: { settings: { accountDeletions: true } },
    erasure: {
      orders: 'anonymise',
      onErase: () => {
        process.stdout.write('erasing\n')
        setInterval(() => {}, 1_000)
        return new Promise(() => {})
      },
    },
  },
})
const payload = await getPayload({ config, key: randomUUID() })
await payload.delete({ collection: 'users', where: { email: { equals: email } } })
