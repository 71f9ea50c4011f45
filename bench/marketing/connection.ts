import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  /** The status line and the headers, as they came. */
  head: string
  body: string
}

/** A connection that is kept open and carries one request at a time. */
export interface Connection {
  send(request: string): Promise<Answer>
  close(): void
}

/**
 * As little HTTP as the answers here need, and requests that are text already: a client that did more
 * would take the processor from the server whose speed it measures.
 */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return {
    send: (request) => sendRequest(socket, request),
    close: () => socket.destroy(),
  }
}

const headEnd = '\r\n\r\n'

function sendRequest(socket: Socket, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received = ''
    const end = (done: () => void) => {
      socket.off('data', take).off('error', fail).off('close', closed)
      done()
    }
    const take = (bytes: Buffer) => {
      received += bytes.toString('latin1')
      const answer = readAnswer(received)
      if (answer) end(() => resolve(answer))
    }
    const fail = (error: Error) => end(() => reject(error))
    const closed = () => fail(new Error('The server closed the connection.'))
    if (socket.destroyed) return closed()
    socket.on('data', take).on('error', fail).on('close', closed)
    socket.write(request)
  })
}

/** Undefined until all of it is there. */
function readAnswer(text: string): Answer | undefined {
  const start = text.indexOf(headEnd)
  if (start === -1) return undefined
  const head = text.slice(0, start)
  const body = text.slice(start + headEnd.length)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? NaN)
  if (Number.isNaN(length)) throw new Error('The answer does not say how long it is.')
  if (body.length < length) return undefined
  return { status: Number(head.slice(9, 12)), head, body }
}
