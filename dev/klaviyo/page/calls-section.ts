import { callNames, calls, type CallName } from '../calls.ts'
import type { KlaviyoStandIn } from '../stand-in.ts'
import type { CallRecord } from '../state.ts'
import { html } from '../../../src/mounts/cli/klaviyo/html.js'
import { shownTime } from './shown.ts'

export function callsSection({ state }: KlaviyoStandIn) {
  const records = new Map<CallName, CallRecord[]>()
  for (const record of state.calls) {
    const known = records.get(record.name)
    if (known) known.push(record)
    else records.set(record.name, [record])
  }
  return html`<section aria-labelledby="calls">
    <h2 id="calls">Calls</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="calls">
      <table>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col" class="number">Limits</th>
            <th scope="col" class="number">Calls</th>
            <th scope="col" class="number">Items</th>
            <th scope="col" class="number">Taken</th>
            <th scope="col" class="number">429</th>
            <th scope="col" class="number">Failed</th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          ${callNames.map((name) => callRow(name, records.get(name) ?? []))}
        </tbody>
      </table>
    </div>
  </section>`
}

function callRow(name: CallName, records: readonly CallRecord[]) {
  const { method, path, limits } = calls[name]
  const taken = records.filter(({ status }) => status >= 200 && status <= 299)
  const throttled = records.filter(({ status }) => status === 429).length
  const failed = records.length - taken.length - throttled
  const items = taken.reduce((sum, record) => sum + record.items, 0)
  const last = records.at(-1)
  return html`<tr>
    <td><code>${method} ${readablePath(path)}</code></td>
    <td class="number">${limits.burst}/s, ${limits.steady}/min</td>
    <td class="number">${records.length}</td>
    <td class="number">${items}</td>
    <td class="number">${taken.length}</td>
    <td class="number${throttled > 0 ? ' warn' : ''}">${throttled}</td>
    <td class="number${failed > 0 ? ' warn' : ''}">${failed}</td>
    <td>${last ? shownTime(last.at) : ''}</td>
  </tr>`
}

const readablePath = ({ source }: RegExp): string =>
  source
    .replaceAll('\\/', '/')
    .replace('([^/]+)', '{id}')
    .replace(/^\^|\$$/g, '')
