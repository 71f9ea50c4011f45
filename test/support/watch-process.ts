import { randomUUID } from 'node:crypto'
import { getPayload } from 'payload'
import { partsOf } from '../../src/installation.js'
import { beforeStatements } from './before-statements.js'
import { setClock } from './set-clock.js'
import { storeConfig, type DatabaseKind } from './store-config.js'

// A store in a process of its own, which kills itself while it watches, ahead of the statement of a number
// that is passed. Its clock is ahead of the system's, and its mails are posted to a URL.
const [kind = 'sqlite', url = '', receiver = '', ahead = '0', fatal] = process.argv.slice(2)

setClock(Number(ahead))

const config = await storeConfig({
  kind: kind as DatabaseKind,
  url,
  options: {
    alerts: {
      settings: {
        recipients: ['merchant@shop.example'],
        webhookUrl: `${receiver}/webhook`,
        webhookSecret: 'a secret',
        digest: false,
      },
    },
  },
  config: {
    email: () => ({
      name: 'test',
      defaultFromAddress: 'shop@example.com',
      defaultFromName: 'Shop',
      async sendEmail(message: unknown) {
        const { messageId, subject } = message as Record<'messageId' | 'subject', string>
        await fetch(`${receiver}/mail`, {
          method: 'POST',
          headers: { 'webhook-id': messageId },
          body: JSON.stringify({ text: subject }),
        })
      },
    }),
  },
})
const payload = await getPayload({ config, key: randomUUID() })
// It lives as long as the process that started it, also when nothing else keeps it alive.
process.stdin.on('end', () => process.exit()).resume()
let statements = 0
beforeStatements(payload, () => {
  statements += 1
  if (statements === Number(fatal)) process.kill(process.pid, 'SIGKILL')
})
partsOf(payload).delivery.start()
