import { spawn } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser, type Page } from 'playwright-core'
import { bundle } from '../../dev/bundle.ts'
import { prepare } from '../../dev/prepare.ts'
import { stepsOn } from '../../dev/console/steps.ts'
import { newDatabaseFolder } from './database-folder.ts'
import { freePort } from './free-port.ts'
import { visit } from './visit.ts'

/** The demo store, served by a process of its own on a database of its own. */
export interface DemoStore {
  origin: string
  close: () => Promise<void>
}

/** What a demo store is served from. */
export interface FilledStore {
  /** Has its database, filled, and what lies beside it. */
  directory: string
  /** The one in the addresses of its sites. */
  port: number
}

/** A place for one. It has nothing yet. */
export const newDemoStore = async (): Promise<FilledStore> => ({
  directory: newDatabaseFolder('storeconnect-filled-'),
  port: await freePort(),
})

/** Builds the demo store where that is needed, and fills the database of this one. */
export const fillDemoStore = (
  { directory, port }: FilledStore,
  signal?: AbortSignal,
): Promise<void> =>
  prepare({
    dataDirectory: directory,
    databaseUrl: databaseIn(directory),
    origin: originAt(port),
    steps: stepsOn(),
    ...(signal && { signal }),
  })

/**
 * Serves a copy of a filled store.
 *
 * @param variables Environment variables of the store's process, such as `KLAVIYO_URL`.
 */
export async function startDemoStore(
  filled: FilledStore,
  variables: Record<string, string> = {},
): Promise<DemoStore> {
  const dataDirectory = newDatabaseFolder('storeconnect-demo-')
  cpSync(filled.directory, dataDirectory, { recursive: true })
  const port = await freePort()
  await moveSites(databaseIn(dataDirectory), { from: filled.port, to: port })
  const server = spawn(process.execPath, [await bundle('server.ts')], {
    env: {
      ...process.env,
      ...variables,
      DATABASE_URL: databaseIn(dataDirectory),
      NODE_ENV: 'production',
      PORT: String(port),
      STORE_DATA_DIR: dataDirectory,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (/ready at http:/.test(output)) resolve()
    })
    void ended.then(() => reject(new Error(`The demo store ended before it was ready:\n${output}`)))
  })
  return {
    origin: originAt(port),
    async close() {
      server.kill('SIGTERM')
      await ended
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** The addresses of the sites have the port. */
async function moveSites(url: string, { from, to }: { from: number; to: number }): Promise<void> {
  const client = createClient({ url })
  await client.execute({
    sql: 'update sites set base_url = replace(base_url, ?, ?)',
    args: [`:${from}`, `:${to}`],
  })
  client.close()
}

const databaseIn = (directory: string) => `file:${join(directory, 'store.db')}`
const originAt = (port: number) => `http://127.0.0.1:${port}`

/** Ends what hangs. On a busy machine the first page of the admin takes longer than Playwright's 30 seconds. */
const longestWaitMs = 120_000

export async function openBrowser(): Promise<Browser> {
  // Nothing here needs a graphics card, and to imitate one takes most of the time of a page.
  chromium.setGraphicsMode = false
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    // In one process, what a page fetches carries the cookies of another visitor's.
    args: [
      ...chromium.args.filter((argument) => argument !== '--single-process'),
      '--disable-gpu',
      '--disable-quic',
      '--no-sandbox',
    ],
    headless: true,
  })
  browser.on('context', (context) => context.setDefaultTimeout(longestWaitMs))
  return browser
}

/** A page of the admin, logged in. */
export async function openAdmin(browser: Browser, { origin }: { origin: string }): Promise<Page> {
  const page = await browser.newPage()
  await visit(page, `${origin}/admin/login`)
  await page.fill('#field-email', 'admin@example.com')
  await page.fill('#field-password', 'demo-admin')
  await page.click('button[type=submit]')
  await page.waitForURL(/\/admin\/?$/)
  return page
}
