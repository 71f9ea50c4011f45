import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { actionsListener, type ActionsListenerOptions } from '../../src/mounts/node/index.js'
import type { TestStore } from './store.js'

/** A store's actions on node:http. */
export type ServedStore = Awaited<ReturnType<typeof serveStore>>

/** Answers 299 to what the listener leaves to somebody else. */
export async function serveStore(
  { payload }: Pick<TestStore, 'payload'>,
  options: ActionsListenerOptions = {},
) {
  const answer = actionsListener(payload, options)
  const rejections: unknown[] = []
  let open = 0
  const server = createServer((request, response) => {
    open += 1
    // As in the README, with nothing that would catch.
    answer(request, response)
      .then(
        (isAnswered) => {
          if (!isAnswered) response.writeHead(299).end()
        },
        (error: unknown) => {
          rejections.push(error)
          response.destroy()
        },
      )
      .finally(() => (open -= 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    rejections,
    /** How many requests are not answered yet. */
    openRequests: () => open,
    /** What comes back for these lines, over a connection of its own. */
    write: async (...lines: string[]): Promise<string> => {
      const socket = connect(port, '127.0.0.1')
      // It stays open for writing: Node's server gives up a late answer to a client that has ended.
      socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
      const chunks: Buffer[] = []
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      await once(socket, 'close')
      return Buffer.concat(chunks).toString()
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Of an answer as it comes over the wire. */
export const statusIn = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
