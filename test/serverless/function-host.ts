import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { processScript } from '../support/process-script.js'
import type { DatabaseKind } from '../support/store-config.js'

interface FunctionHostSetup {
  kind: DatabaseKind
  url: string
  /** Where Klaviyo is, and the key that it takes. */
  apiUrl: string
  apiKey: string
  env: Record<string, string>
  /** How many processes there are at once. */
  atMost: number
  /** Each so many requests, the process that answered it is killed then, whatever it still does. */
  killEvery?: number
}

interface Instance {
  child: ChildProcess
  port: number
}

/**
 * A host of functions: a process answers one request at a time. It is stopped where it stands as soon as it has
 * answered and has done what it asked the host to wait for, and goes on with the next request, or is killed.
 */
export function openFunctionHost(setup: FunctionHostSetup) {
  const { kind, url, apiUrl, apiKey, env, atMost, killEvery = Infinity } = setup
  const stopped: Instance[] = []
  const waiting: ((instance: Instance) => void)[] = []
  const living = new Set<ChildProcess>()
  const counts = { requests: 0, started: 0, killed: 0, stops: 0 }

  async function start(): Promise<Instance> {
    const name = `function-${(counts.started += 1)}`
    const child = fork(processScript('function-process'), [kind, url, apiUrl, apiKey, name], {
      env: { ...process.env, ...env },
      execArgv: [],
    })
    living.add(child)
    child.once('exit', () => living.delete(child))
    const [port] = (await once(child, 'message')) as [number]
    return { child, port }
  }

  async function take(): Promise<Instance> {
    const instance = stopped.shift()
    if (instance === undefined && living.size < atMost) return start()
    const taken = instance ?? (await new Promise<Instance>((resolve) => waiting.push(resolve)))
    taken.child.kill('SIGCONT')
    return taken
  }

  async function release(instance: Instance): Promise<void> {
    const next = waiting.shift()
    if (!living.has(instance.child)) {
      if (next !== undefined) next(await take())
      return
    }
    counts.stops += 1
    instance.child.kill('SIGSTOP')
    if (next === undefined) stopped.push(instance)
    else next(instance)
  }

  return {
    counts,
    async handle(this: void, request: Request): Promise<Response> {
      const instance = await take()
      const { child, port } = instance
      const { pathname, search } = new URL(request.url)
      const isIdle = once(child, 'message')
      const mustEnd = (counts.requests += 1) % killEvery === 0
      const response = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: request.method === 'POST' ? await request.arrayBuffer() : null,
        redirect: 'manual',
      })
      const body = await response.arrayBuffer()
      if (mustEnd) {
        counts.killed += 1
        child.kill('SIGKILL')
        await once(child, 'exit')
        await release(instance)
      } else void isIdle.then(() => release(instance))
      return new Response(body, response)
    },
    /** Resolves when no process has anything to do. */
    async isQuiet(): Promise<void> {
      while (stopped.length < living.size) await new Promise((resolve) => setImmediate(resolve))
    },
    async close(): Promise<void> {
      const ended = [...living].map((child) => once(child, 'exit'))
      for (const child of living) child.kill('SIGKILL')
      await Promise.all(ended)
    },
  }
}
