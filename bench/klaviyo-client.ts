import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

// The measurement behind docs/decisions/0004-libraries.md. After `npm run build`:
//   npm install --prefix some klaviyo-api@23.0.0
//   KLAVIYO_SDK=some/node_modules/klaviyo-api npx tsx bench/klaviyo-client.ts
const sdk = process.env.KLAVIYO_SDK
if (sdk === undefined) throw new Error('KLAVIYO_SDK must name the folder of klaviyo-api.')

const rounds = Number(process.env.ROUNDS ?? 5)
const calls = 2000
const concurrency = 25

const arms = {
  sdk: join(sdk, 'dist/api.js'),
  fetch: join(import.meta.dirname, '../dist/marketing/klaviyo/klaviyo.js'),
}

interface Measured {
  importMs: number
  heapMb: number
  residentMb: number
  callsPerSecond: number
  cpuMsPerCall: number
  hanging: string
  redirect: string
  key: string
}

/** Takes every event; hangs, redirects or refuses where the visitor's name asks for it. */
const answer: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8')
    if (body.includes('visitor-hang')) return
    if (request.url === '/elsewhere') response.writeHead(202).end()
    else if (body.includes('visitor-redirect'))
      response.writeHead(307, { location: '/elsewhere' }).end()
    else response.writeHead(body.includes('visitor-refuse') ? 400 : 202).end()
  })
}

async function measure(arm: keyof typeof arms, apiUrl: string): Promise<Measured> {
  const child = join(import.meta.dirname, 'klaviyo-client-child.mjs')
  const parameters = [arm, pathToFileURL(arms[arm]).href, apiUrl, `${calls}`, `${concurrency}`]
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    child,
    ...parameters,
  ])
  return JSON.parse(stdout) as Measured
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}

const server = createServer(answer)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const results = { sdk: [] as Measured[], fetch: [] as Measured[] }
for (let round = 0; round < rounds; round++) {
  const order = round % 2 === 0 ? (['sdk', 'fetch'] as const) : (['fetch', 'sdk'] as const)
  for (const arm of order) results[arm].push(await measure(arm, apiUrl))
}

console.log(`medians of ${rounds} fresh processes each, ${calls} events, ${concurrency} at once`)
for (const [arm, measured] of Object.entries(results)) {
  const of = (name: 'importMs' | 'heapMb' | 'residentMb' | 'callsPerSecond' | 'cpuMsPerCall') =>
    median(measured.map((one) => one[name]))
  const last = measured.at(-1)
  console.log(`
${arm}
  import            ${of('importMs').toFixed(0)} ms
  heap              ${of('heapMb').toFixed(1)} MB, resident ${of('residentMb').toFixed(0)} MB
  calls             ${of('callsPerSecond').toFixed(0)} a second, ${of('cpuMsPerCall').toFixed(2)} ms of CPU each
  a hanging server  ${last?.hanging}
  a redirect        ${last?.redirect}
  the key           ${last?.key}`)
}
server.closeAllConnections()
server.close()
