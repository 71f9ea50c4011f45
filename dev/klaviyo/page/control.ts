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

function readFault(form: URLSearchParams): Fault | undefined {
  const kind = faultKinds.find((known) => known === form.get('kind'))
  const times = Number(form.get('times'))
  return kind && { kind, ...(times > 0 && { times }) }
}
