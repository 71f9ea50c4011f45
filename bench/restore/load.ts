import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection, type Answer } from '../marketing/connection.js'
import { quantile } from '../marketing/rounds.js'

/** Requests to be made, one after the other on each connection. */
export interface Load {
  port: number
  connections: number
  requests: number
  /** From the start of a request to that of the next. Without: the next begins when it is answered. */
  everyMs?: number
  path: (request: number) => string
  cookie?: string
  expected: (answer: Answer) => boolean
}

export interface LoadResult {
  p50Ms: number
  p99Ms: number
  meanMs: number
}

/** From the process of the bench; the shop has one of its own. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => openConnection(load.port)),
  )
  const cookie = load.cookie === undefined ? '' : `cookie: ${load.cookie}\r\n`
  const head = `host: 127.0.0.1:${load.port}\r\naccept: text/html\r\n${cookie}\r\n`
  const latencies: number[] = []
  let started = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (started < load.requests) {
        const request = `GET ${load.path(started++)} HTTP/1.1\r\n${head}`
        const start = performance.now()
        const answer = await connection.send(request)
        const tookMs = performance.now() - start
        latencies.push(tookMs)
        if (!load.expected(answer)) throw new Error(`Not what was asked for: ${answer.head}`)
        if (load.everyMs !== undefined) await sleep(Math.max(0, load.everyMs - tookMs))
      }
    }),
  )
  for (const connection of connections) connection.close()
  return {
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    meanMs: latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length,
  }
}
