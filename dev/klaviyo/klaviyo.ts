import { readEnvironment } from '../environment.ts'
import { onStopSignal } from '../stop-signals.ts'
import { serveNearStore } from './beside-store.ts'
import { demoLists } from './lists.ts'
import { demoApiKey, demoPublicKey } from './stand-in.ts'

try {
  const { origin, close } = await serveNearStore(readEnvironment(), process.env, 'npm run klaviyo')
  onStopSignal(() => void close().finally(() => process.exit(0)))
  console.log(
    [
      '',
      `  Klaviyo stand-in  ${origin}/`,
      `  API key           ${demoApiKey}`,
      `  Lists             ${demoLists.map(({ id, name }) => `${id} (${name})`).join(', ')}`,
      '',
      '  Point a store at it',
      `    KLAVIYO_URL=${origin} KLAVIYO_API_KEY=${demoApiKey} KLAVIYO_PUBLIC_KEY=${demoPublicKey} npm start`,
      '',
      '  Everything is kept in memory. Ctrl+C ends it.',
      '',
    ].join('\n'),
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
