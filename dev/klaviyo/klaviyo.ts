import { onStopSignal } from '../stop-signals.ts'
import { demoLists } from './lists.ts'
import { serveKlaviyoStandIn } from './serve-stand-in.ts'
import { demoApiKey } from './stand-in.ts'

const port = Number(process.env.PORT || '3010')
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error('PORT must be a whole number from 0 to 65535')
  process.exit(2)
}

try {
  const { origin, close } = await serveKlaviyoStandIn({
    host: process.env.HOST || '127.0.0.1',
    port,
  })
  onStopSignal(() => void close().finally(() => process.exit(0)))
  console.log(
    [
      '',
      `  Klaviyo stand-in  ${origin}/`,
      `  API key           ${demoApiKey}`,
      `  Lists             ${demoLists.map(({ id, name }) => `${id} (${name})`).join(', ')}`,
      '',
      '  Point a store at it',
      `    KLAVIYO_URL=${origin} KLAVIYO_API_KEY=${demoApiKey} npm start`,
      '',
      '  Everything is kept in memory. Ctrl+C ends it.',
      '',
    ].join('\n'),
  )
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  console.error(
    code === 'EADDRINUSE'
      ? `Port ${port} is taken. Choose another one: PORT=${port + 1} npm run klaviyo`
      : message,
  )
  process.exit(1)
}
