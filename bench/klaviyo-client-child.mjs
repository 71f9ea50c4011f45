// Run by klaviyo-client.ts in a fresh process, as plain JavaScript: nothing stands between an import
// and its files. Prints one line of JSON.
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout } from 'node:timers'

const { AbortSignal, fetch } = globalThis
const [arm, modulePath, apiUrl, calls, concurrency] = process.argv.slice(2)

globalThis.gc()
const before = process.memoryUsage()
const start = performance.now()
const client = await import(modulePath)
const importMs = performance.now() - start
globalThis.gc()
const after = process.memoryUsage()

const apiKey = 'pk_bench_0123456789'
const properties = { Page: '/tea', ItemNames: ['green', 'black'], nested_Value: { some_key: 1 } }
const email = (index) => `visitor-${index}@example.com`

function overFetch() {
  const platform = client.createKlaviyo({ apiUrl, fetch, now: () => new Date() })
  return async (index, seconds = 6) => {
    const message = {
      kind: 'event',
      profile: { email: email(index), firstName: 'Anna' },
      event: { name: 'Viewed Page', uniqueId: `visit-${index}`, properties, value: 1 },
    }
    const options = { apiKey, signal: AbortSignal.timeout(seconds * 1000) }
    const answer = await platform.trackEvent({ message, acceptedAt: new Date() }, options)
    return { text: JSON.stringify(answer), isTaken: answer.outcomes[0].is === 'delivered' }
  }
}

function overSdk() {
  const { ApiKeySession, EventsApi, EventEnum, MetricEnum, ProfileEnum } = client
  // With its defaults, except for the retries, which an option switches off.
  const retries = new client.RetryWithExponentialBackoff({ numRetries: 1 })
  const events = new EventsApi(new ApiKeySession(apiKey, retries))
  events.basePath = apiUrl
  const metric = { data: { type: MetricEnum.Metric, attributes: { name: 'Viewed Page' } } }
  return async (index) => {
    const profile = { email: email(index), firstName: 'Anna' }
    const attributes = {
      properties,
      value: 1,
      uniqueId: `visit-${index}`,
      metric,
      profile: { data: { type: ProfileEnum.Profile, attributes: profile } },
    }
    try {
      await events.createEvent({ data: { type: EventEnum.Event, attributes } })
      return { text: '', isTaken: true }
    } catch (error) {
      return { text: JSON.stringify(error), isTaken: false }
    }
  }
}

const send = arm === 'sdk' ? overSdk() : overFetch()

async function saturate() {
  let next = 0
  let taken = 0
  const worker = async () => {
    for (let index = next++; index < Number(calls); index = next++) {
      if ((await send(index)).isTaken) taken++
    }
  }
  await Promise.all(Array.from({ length: Number(concurrency) }, worker))
  return taken
}

await send(0)
const cpuBefore = process.cpuUsage()
const begin = performance.now()
const taken = await saturate()
const seconds = (performance.now() - begin) / 1000
const cpu = process.cpuUsage(cpuBefore)

/** What happens where the server does as the index asks for. */
const hanging = await Promise.race([
  send('hang', 1).then(() => 'ends by itself'),
  new Promise((resolve) => setTimeout(resolve, 3000, 'still waits after 3 s')),
])
const redirected = await send('redirect')
const refused = await send('refuse')

process.stdout.write(
  JSON.stringify({
    importMs,
    heapMb: (after.heapUsed - before.heapUsed) / 1e6,
    residentMb: (after.rss - before.rss) / 1e6,
    callsPerSecond: taken / seconds,
    cpuMsPerCall: (cpu.user + cpu.system) / 1000 / Number(calls),
    hanging,
    redirect: redirected.isTaken ? 'followed' : 'not followed',
    key: refused.text.includes(apiKey) ? 'is in the error' : 'is not in the error',
  }),
)
process.exit(0)
