import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import {
  addPackage,
  buildImage,
  installStore,
  leaveOut,
  serve,
  type StoreImage,
} from '../../test/package/template-store.js'
import { report, shown, tell } from '../goals.js'
import { median } from '../interleave.js'

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '10' },
    /** A run that only shows that everything here works. */
    quick: { type: 'boolean', default: false },
  },
})
const starts = values.quick ? 1 : Number(values.starts)

interface Start {
  /** From the start of the process to the end of the answer. */
  firstAnswerMs: number
  cpuMs: number
  memoryMib: number
  scriptsKb: number
}

/** What a host sets that starts a process for a request, and stops it afterwards. */
const functionHost = { AWS_LAMBDA_FUNCTION_NAME: 'shop' }

/** Asks a new process for a page that is made for each request, from what Payload finds. */
async function start(image: StoreImage, environment = {}): Promise<Start> {
  const served = await serve(image, environment)
  try {
    const response = await fetch(`${served.origin}/shop`)
    const page = await response.text()
    if (!page.includes('Green tea')) throw new Error('/shop has no product.')
    const firstAnswerMs = performance.now() - served.startedAt
    const seen = { firstAnswerMs, cpuMs: cpuMsOf(served.pid), memoryMib: memoryMibOf(served.pid) }
    return { ...seen, scriptsKb: await scriptsKbOf(page, served.origin) }
  } finally {
    await served.close()
  }
}

/** What the threads of the process have used. Linux counts it in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function memoryMibOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

/** What a browser loads of scripts with the page, each one gzipped. */
async function scriptsKbOf(page: string, origin: string): Promise<number> {
  const paths = new Set(page.match(/static\/chunks\/[^"\\]+\.js/g))
  const sizes = Array.from(paths, async (path) => {
    const script = await fetch(`${origin}/_next/${path}`)
    return gzipSync(await script.arrayBuffer()).length
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

function show(title: string, image: StoreImage, seen: Start[]): Start & { serverMib: number } {
  const medianOf = (name: keyof Start) => median(seen.map((one) => one[name]))
  const figures = {
    firstAnswerMs: medianOf('firstAnswerMs'),
    cpuMs: medianOf('cpuMs'),
    memoryMib: medianOf('memoryMib'),
    scriptsKb: medianOf('scriptsKb'),
    serverMib: bytesBelow(join(image.folder, '.next/server')) / 1024 ** 2,
  }
  console.log(`\n${title}, ${starts} starts`)
  tell('from the start of the process to the first answer', `${shown(figures.firstAnswerMs)} ms`)
  tell('CPU time until then', `${shown(figures.cpuMs)} ms`)
  tell('resident memory then', `${shown(figures.memoryMib)} MiB`)
  tell('.next/server', `${shown(figures.serverMib)} MiB`)
  tell('scripts of the page, gzipped', `${shown(figures.scriptsKb)} kB`)
  return figures
}

const directory = mkdtempSync(join(tmpdir(), 'storeconnect-cold-start-'))
try {
  const store = await installStore(directory)
  const without = await buildImage(store, join(directory, 'without'))
  await addPackage(directory, store)
  const extended = await buildImage(store, join(directory, 'with'))
  await leaveOut(store, 'marketing')
  const shipping = await buildImage(store, join(directory, 'shipping'))
  await leaveOut(store, 'shipping')
  const marketing = await buildImage(store, join(directory, 'marketing'))
  const seen: Record<'without' | 'with' | 'shipping' | 'marketing' | 'onServer', Start[]> = {
    without: [],
    with: [],
    shipping: [],
    marketing: [],
    onServer: [],
  }
  for (let round = 0; round < starts; round++) {
    seen.without.push(await start(without, functionHost))
    seen.with.push(await start(extended, functionHost))
    seen.shipping.push(await start(shipping, functionHost))
    seen.marketing.push(await start(marketing, functionHost))
    seen.onServer.push(await start(extended))
  }
  const bare = show('the template store', without, seen.without)
  const full = show('the template store with Storeconnect', extended, seen.with)
  const halves = {
    ShipStation: show('the same with ShipStation alone', shipping, seen.shipping),
    Klaviyo: show('the same with Klaviyo alone', marketing, seen.marketing),
  }
  show('the same on a server, which begins to deliver at its start', extended, seen.onServer)
  console.log('\nwhat Storeconnect adds to a cold start')
  const more = (name: keyof typeof bare) => full[name] - bare[name]
  report('ms to the first answer', more('firstAnswerMs'), { atMost: 100 })
  report('MiB of resident memory', more('memoryMib'), { atMost: 10 })
  report('kB of scripts in the page, gzipped', more('scriptsKb'), { atMost: 2.7 })
  for (const [name, half] of Object.entries(halves)) {
    const alone = (figure: keyof typeof bare) => half[figure] - bare[figure]
    report(`ms to the first answer, with ${name} alone`, alone('firstAnswerMs'), { atMost: 60 })
    report(`MiB of resident memory, with ${name} alone`, alone('memoryMib'), { atMost: 6 })
  }
  tell('CPU time', `${shown(more('cpuMs'))} ms`)
  tell('.next/server', `${shown(more('serverMib'))} MiB`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
