import type { ActiveFault, FaultKind } from '../faults.ts'
import type { KlaviyoStandIn } from '../stand-in.ts'
import { html } from '../../../src/mounts/cli/klaviyo/html.js'
import { button } from './shown.ts'

export function activeFaults({ faults }: KlaviyoStandIn) {
  const { active } = faults
  return html`<section aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    ${
      active.length === 0
        ? html`<p class="faded">None: everything works.</p>`
        : html`<ul class="plain card">
            ${active.map(faultRow)}
          </ul>`
    }
  </section>`
}

const faultRow = ({ id, fault, left, strikes }: ActiveFault) =>
  html`<li>
    <span
      ><strong class="warn">${fault.kind}</strong> · ${fault.calls?.join(', ') ?? 'all calls'} ·
      struck ${strikes}
      times${Number.isFinite(left) ? `, ${left} left` : ''}${fault.chance === undefined ? '' : `, in ${Math.round(fault.chance * 100)} % of the calls`}</span
    >${button({ path: '/faults/remove', id }, 'Remove', fault.kind)}
  </li>`

const QUICK: readonly { text: string; kind: FaultKind; times: string }[] = [
  { text: 'Take Klaviyo away', kind: 'reset', times: '' },
  { text: 'Hang', kind: 'hang', times: '' },
  { text: 'Server errors', kind: 'error', times: '' },
  { text: 'Refuse the key', kind: 'wrong-key', times: '' },
  { text: 'Break the next 3 answers', kind: 'truncate', times: '3' },
]

export const faultButtons = () =>
  html`<section aria-labelledby="go-wrong">
    <h2 id="go-wrong">Let something go wrong</h2>
    <div class="quick">
      ${QUICK.map(
        ({ text, kind, times }) =>
          html`<form method="post" action="/faults/add">
            <input type="hidden" name="kind" value="${kind}" /><input
              type="hidden"
              name="times"
              value="${times}"
            /><button>${text}</button>
          </form>`,
      )}
      <form method="post" action="/faults/clear"><button class="main">All well again</button></form>
    </div>
  </section>`
