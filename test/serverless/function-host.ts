import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { storeDirectory } from '../../dev/environment.ts'
import type { Random } from '../../dev/seed/random.ts'

export interface FunctionHostSetup {
  /** The builds that are live, which the instances have in turn: their directories below `dev/`. */
  builds: readonly string[]
  /** The environment of an instance, by its name. */
  environment: (name: string) => Record<string, string>
  freePort: () => Promise<number>
  /** How many instances there are at once. */
  atMost: number
  /** Each time when so many requests were answered, an instance ends. */
  endEvery: number
  random: Random
}

interface Instance {
  child: ChildProcess
  port: number
  /** Called when it is done with the present request, or ends. */
  isDone: () => void
}

const nextCommand = createRequire(import.meta.url).resolve('next/dist/bin/next')
const waits = path.join(import.meta.dirname, 'waits.mjs')

/** As long as Vercel lets a function run. */
const limitMs = 300_000

/**
 * Plays a host of functions with real processes of the demo store.
 *
 * A request goes to one of the instances that are stopped, picked at random, or to a new one, `next start` of one
 * of the live builds. The instance continues (SIGCONT), answers, and says when all that it gave to `waitUntil` is
 * done. There it is stopped (SIGSTOP), in the middle of its timers and connections, until a later request. Of those
 * that end, every other one is killed right after its answer, and the rest after they were stopped. Who is not
 * done at the limit of the host is killed, too.
 */
export function openFunctionHost(setup: FunctionHostSetup) {
  const { builds, environment, freePort, atMost, endEvery, random } = setup
  const living = new Set<ChildProcess>()
  const stopped: Instance[] = []
  const waiting: ((instance: Instance) => void)[] = []
  const output: string[] = []
  const counts = { answers: 0, started: 0, stops: 0, killedAtWork: 0, killedStopped: 0, atLimit: 0 }
  let places = atMost
  let isClosed = false

  async function start(): Promise<Instance> {
    const count = (counts.started += 1)
    places -= 1
    const port = await freePort()
    if (isClosed) throw new Error('The host is closed.')
    const words = ['start', storeDirectory, '--hostname', '127.0.0.1', '--port', String(port)]
    const child = spawn(process.execPath, ['--import', waits, nextCommand, ...words], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        STORE_BUILD: builds[count % builds.length],
        ...environment(`function-${count}`),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const instance: Instance = { child, port, isDone: () => undefined }
    living.add(child)
    child.on('message', () => instance.isDone())
    child.once('exit', () => {
      living.delete(child)
      places += 1
      instance.isDone()
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => output.push(text))
    await new Promise<void>((resolve, reject) => {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        output.push(text)
        if (text.includes('Ready in')) resolve()
      })
      child.once('exit', () => reject(new Error(`An instance did not start:\n${output.join('')}`)))
    })
    return instance
  }

  async function take(): Promise<Instance> {
    const [idle] = stopped.splice(random.between(0, stopped.length - 1), 1)
    if (idle === undefined && places > 0) return start()
    const instance = idle ?? (await new Promise<Instance>((resolve) => waiting.push(resolve)))
    instance.child.kill('SIGCONT')
    return instance
  }

  /** It has nothing to do any more, or is no more. */
  async function leave(instance: Instance, mustEnd: boolean): Promise<void> {
    if (living.has(instance.child)) {
      instance.child.kill('SIGSTOP')
      counts.stops += 1
    }
    if (mustEnd) await kill(instance.child)
    const next = waiting.shift()
    if (living.has(instance.child)) {
      if (next === undefined) stopped.push(instance)
      else next(instance)
    } else if (next !== undefined) next(await start())
  }

  async function kill(child: ChildProcess): Promise<void> {
    if (!living.has(child)) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  return {
    counts,
    /** What the instances have printed. */
    output: () => output.join(''),

    async handle(this: void, request: Request): Promise<Response> {
      const instance = await take()
      const { child } = instance
      const limit = setTimeout(() => {
        counts.atLimit += 1
        child.kill('SIGKILL')
      }, limitMs)
      const isDone = new Promise<void>((resolve) => {
        instance.isDone = resolve
      })
      const response = await ask(instance, request)
      counts.answers += 1
      const ending = counts.answers % endEvery === 0 ? (counts.answers / endEvery) % 2 : undefined
      if (ending === 1) {
        counts.killedAtWork += 1
        await kill(child)
      } else if (ending === 0) counts.killedStopped += 1
      void isDone.then(() => {
        clearTimeout(limit)
        return leave(instance, ending === 0)
      })
      return response
    },

    /** Whether no instance has anything to do. */
    isQuiet: () => stopped.length === living.size,

    async close(): Promise<void> {
      isClosed = true
      await Promise.all([...living].map(kill))
    },
  }
}

/** Passes a request on as the host's own proxy does; a connection that breaks off becomes its 502. */
async function ask({ port }: Instance, request: Request): Promise<Response> {
  const { host, pathname, protocol, search } = new URL(request.url)
  const body = Buffer.from(await request.arrayBuffer())
  const outgoing = http.request({
    host: '127.0.0.1',
    port,
    method: request.method,
    path: pathname + search,
    agent: false,
    headers: {
      ...Object.fromEntries(request.headers),
      host,
      'content-length': body.length,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
    },
  })
  try {
    outgoing.end(body)
    const [incoming] = (await once(outgoing, 'response')) as [http.IncomingMessage]
    const answer = await buffer(incoming)
    const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    const { statusCode: status = 502 } = incoming
    return new Response([204, 304].includes(status) ? null : answer, { status, headers })
  } catch (error) {
    return new Response(String(error), { status: 502 })
  }
}
