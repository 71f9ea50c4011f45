import process from 'node:process'
import { subscribe } from 'node:diagnostics_channel'

// What a host of functions adds to a process before it loads Next.js: `waitUntil`, and word to the host when a
// request is answered and all that was asked for is done.

const waitedFor = new Set()
const waitUntil = (work) => void waitedFor.add(work)
Object.assign(globalThis, {
  [Symbol.for('@next/request-context')]: { get: () => ({ waitUntil }) },
})

subscribe('http.server.request.start', ({ response }) => {
  response.once('close', () => void sayWhenDone())
})

async function sayWhenDone() {
  for (const work of waitedFor) {
    await Promise.allSettled([work])
    waitedFor.delete(work)
  }
  process.send('done')
}
