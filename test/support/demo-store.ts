import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser, type Page } from 'playwright-core'
import { prepare } from '../../dev/prepare.ts'
import { stepsOn } from '../../dev/console/steps.ts'

/** The demo store, served by a process of its own on a database of its own. */
export interface DemoStore {
  origin: string
  close: () => Promise<void>
}

/** @param variables Environment variables of the store's process, such as `KLAVIYO_URL`. */
export async function startDemoStore(variables: Record<string, string> = {}): Promise<DemoStore> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'storeconnect-demo-'))
  const databaseUrl = `file:${join(dataDirectory, 'store.db')}`
  // Known before the store is filled, as the addresses of its sites have the port.
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  await prepare({ dataDirectory, databaseUrl, origin, steps: stepsOn() })

  const server = spawn(process.execPath, ['--import', 'tsx', 'dev/server.ts'], {
    env: {
      ...process.env,
      ...variables,
      DATABASE_URL: databaseUrl,
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
    origin,
    async close() {
      server.kill('SIGTERM')
      await ended
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    // In one process, what a page fetches carries the cookies of another visitor's.
    args: [
      ...chromium.args.filter((argument) => argument !== '--single-process'),
      '--disable-quic',
      '--no-sandbox',
    ],
    headless: true,
  })
}

/** A page of the admin, logged in. */
export async function openAdmin(browser: Browser, { origin }: { origin: string }): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${origin}/admin/login`)
  await page.fill('#field-email', 'admin@example.com')
  await page.fill('#field-password', 'demo-admin')
  await page.click('button[type=submit]')
  await page.waitForURL(/\/admin\/?$/)
  return page
}
