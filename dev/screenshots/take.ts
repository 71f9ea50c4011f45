import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import {
  fillDemoStore,
  newDemoStore,
  openBrowser,
  startDemoStore,
} from '../../test/support/demo-store.ts'
import { projectDirectory } from '../environment.ts'
import { serveKlaviyoStandIn } from '../klaviyo/serve-stand-in.ts'
import { demoApiKey, demoPublicKey } from '../klaviyo/stand-in.ts'
import { takePictures } from './pictures.ts'

// The pictures of the README: `npm run screenshots`, of a store of its own, or of one that runs
// already and was not touched: STORE_ORIGIN=http://127.0.0.1:3000 npm run screenshots
const directory = path.join(projectDirectory, 'docs/screenshots')
mkdirSync(directory, { recursive: true })

const running = process.env.STORE_ORIGIN
const klaviyo = running ? undefined : await serveKlaviyoStandIn({ port: 0 })
const filled = klaviyo && (await newDemoStore())
if (filled) await fillDemoStore(filled)
const store =
  filled &&
  (await startDemoStore(filled, {
    KLAVIYO_URL: klaviyo.origin,
    KLAVIYO_API_KEY: demoApiKey,
    KLAVIYO_PUBLIC_KEY: demoPublicKey,
  }))
const browser = await openBrowser()
try {
  await takePictures({ browser, directory, origin: store?.origin ?? running ?? '' })
} finally {
  await browser.close()
  await store?.close()
  if (filled) rmSync(filled.directory, { recursive: true })
  await klaviyo?.close()
}
