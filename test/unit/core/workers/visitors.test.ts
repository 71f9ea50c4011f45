import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { realVisitors as visitors } from '../../../../src/core/workers/visitors.js'

const server = createServer()

beforeEach(async () => {
  // The clock stands still, so that no machine is too slow.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  // They are followed from now on.
  visitors.areHere()
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(async () => {
  vi.useRealTimers()
  server.closeAllConnections()
  await once(server.close(), 'close')
})

/** A request that the server has got. */
async function visit(): Promise<{ answer: () => Promise<void> }> {
  const { port } = server.address() as AddressInfo
  const request = get({ host: '127.0.0.1', port, agent: false })
  request.on('error', () => undefined)
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  return {
    answer: async () => {
      response.end('answered')
      await once(response, 'close')
    },
  }
}

const manyItems = 1_000

/** Says `true` once it is somebody's turn who has begun to wait. */
async function watchTurn(): Promise<() => boolean> {
  let isTurn = false
  void visitors.turn(manyItems).then(() => (isTurn = true))
  // Two, as the first of them is the one that a turn begins with.
  for (let loop = 0; loop < 2; loop++) await new Promise((resolve) => setImmediate(resolve))
  return () => isTurn
}

it('are here for a second after a request', async () => {
  await vi.advanceTimersByTimeAsync(1_000)
  expect(visitors.areHere()).toBe(false)
  const { answer } = await visit()
  expect(visitors.areHere()).toBe(true)
  await answer()
  await vi.advanceTimersByTimeAsync(999)
  expect(visitors.areHere()).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(visitors.areHere()).toBe(false)
})

it('leave a turn to others when the last one has an answer', async () => {
  await visitors.turn(manyItems)
  const [one, other] = [await visit(), await visit()]
  const isTurn = await watchTurn()
  await other.answer()
  await vi.advanceTimersByTimeAsync(24)
  expect(isTurn()).toBe(false)
  await one.answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(isTurn()).toBe(true)
})

it('are waited for 25 ms at most, and not at all when an answer takes long', async () => {
  const { answer } = await visit()
  const isTurn = await watchTurn()
  await vi.advanceTimersByTimeAsync(25)
  expect(isTurn()).toBe(true)
  await vi.advanceTimersByTimeAsync(75)
  await visitors.turn(manyItems)
  await answer()
})

it('leave a turn to others when they have gone', async () => {
  await visit()
  const isTurn = await watchTurn()
  server.closeAllConnections()
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(0)
    expect(isTurn()).toBe(true)
  })
})

it('are not waited for by the work for a few items', async () => {
  await visit()
  let isTurn = false
  void visitors.turn(20).then(() => (isTurn = true))
  await Promise.resolve()
  expect(isTurn).toBe(true)
})

it('come in between two who wait for their turns', async () => {
  const order: string[] = []
  const turns = ['one', 'other'].map(async (name) => {
    await visitors.turn(manyItems)
    order.push(name)
    setImmediate(() => order.push(`after ${name}`))
  })
  await Promise.all(turns)
  expect(order).toEqual(['one', 'after one', 'other'])
})
