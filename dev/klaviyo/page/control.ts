import { callNames } from '../calls.ts'
import { faultKinds, type Fault } from '../faults.ts'
import type { KlaviyoStandIn } from '../stand-in.ts'

/** What the page's buttons do; a script can post the same forms. */
export async function control(standIn: KlaviyoStandIn, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const origin = request.headers.get('origin')
  // Some other site's page has no business here.
  if (origin !== null && origin !== url.origin) return plain(403, 'Only from the own page.')
  const form = new URLSearchParams(await request.text())
  const id = form.get('id') ?? ''
  switch (url.pathname) {
    case '/faults/add': {
      const fault = readFault(form)
      if (!fault) return plain(400, `The kind must be one of: ${faultKinds.join(', ')}.`)
      standIn.faults.add(fault)
      break
    }
    case '/faults/remove':
      standIn.faults.remove(Number(id))
      break
    case '/faults/clear':
      standIn.faults.clear()
      break
    case '/confirm':
      if (!standIn.people.confirm(id)) return plain(404, 'There is nothing to confirm.')
      break
    case '/unsubscribe':
      if (!standIn.people.suppress(id, 'UNSUBSCRIBE'))
        return plain(404, 'There is no such profile.')
      break
    default:
      return plain(404, 'There is no such button.')
  }
  return new Response(null, { status: 303, headers: { location: `/${url.search}` } })
}

const plain = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })

const SAYS = ['item', 'data', 'error'] as const

function readFault(form: URLSearchParams): Fault | undefined {
  const kind = faultKinds.find((known) => known === form.get('kind'))
  if (!kind) return undefined
  const calls = callNames.filter((name) => form.getAll('call').includes(name))
  const says = SAYS.find((known) => known === form.get('says'))
  const marker = form.get('marker')?.trim()
  return {
    kind,
    isProcessed: form.get('processed') === 'yes',
    ...(calls.length > 0 && { calls }),
    ...numbers(form),
    ...(marker && { marker }),
    ...(says && { says }),
  }
}

function numbers(form: URLSearchParams): Pick<Fault, 'times' | 'chance' | 'status' | 'seconds'> {
  const read = (name: string, isRight: (value: number) => boolean): number | undefined => {
    const text = form.get(name)?.trim() ?? ''
    return text !== '' && isRight(Number(text)) ? Number(text) : undefined
  }
  const times = read('times', (value) => Number.isInteger(value) && value > 0)
  const chance = read('chance', (value) => value >= 0 && value <= 1)
  const status = read('status', (value) => Number.isInteger(value) && value >= 500 && value <= 599)
  const seconds = read('seconds', (value) => value >= 0 && value <= 600)
  return {
    ...(times !== undefined && { times }),
    ...(chance !== undefined && { chance }),
    ...(status !== undefined && { status }),
    ...(seconds !== undefined && { seconds }),
  }
}
