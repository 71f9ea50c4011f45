import { callNames } from '../calls.ts'
import { faultKinds, type ActiveFault, type FaultKind } from '../faults.ts'
import type { KlaviyoStandIn } from '../stand-in.ts'
import { html } from './html.ts'
import { button } from './shown.ts'

const NAMES: Readonly<Record<FaultKind, string>> = {
  reset: 'break the connection',
  hang: 'never answer',
  truncate: 'break off in the middle of the answer',
  delay: 'answer late',
  error: 'answer with a server error',
  'wrong-key': 'refuse the key (401)',
  forbidden: 'miss a scope (403)',
  retired: 'Retired revision (410)',
  throttle: 'too many requests (429)',
  redirect: 'redirect elsewhere (307)',
  poison: 'refuse calls that hold a marked item (400)',
}

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
      ><strong class="warn">${NAMES[fault.kind]}</strong> ·
      ${fault.calls?.join(', ') ?? 'all calls'} · struck ${strikes}
      times${Number.isFinite(left) ? `, ${left} left` : ''}${fault.chance === undefined ? '' : `, in ${Math.round(fault.chance * 100)} % of the calls`}</span
    >${button({ path: '/faults/remove', id }, 'Remove', NAMES[fault.kind])}
  </li>`

const QUICK: readonly { text: string; kind: FaultKind; times: string }[] = [
  { text: 'Take Klaviyo away', kind: 'reset', times: '' },
  { text: 'Hang', kind: 'hang', times: '' },
  { text: 'Server errors', kind: 'error', times: '' },
  { text: 'Refuse the key', kind: 'wrong-key', times: '' },
  { text: 'Break the next 3 answers', kind: 'truncate', times: '3' },
]

/** Outside of what the script replaces: what somebody types stays. */
export const faultForm = () =>
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
    <details class="card">
      <summary>Exactly this</summary>
      <form method="post" action="/faults/add" class="row">
        <label
          >What<select name="kind">
            ${faultKinds.map((kind) => html`<option value="${kind}">${NAMES[kind]}</option>`)}
          </select></label
        >
        <label
          >Which call<select name="call">
            <option value="">all</option>
            ${callNames.map((name) => html`<option>${name}</option>`)}
          </select></label
        >
        <label
          >How often (empty: until removed)<input type="number" name="times" min="1" step="1"
        /></label>
        <label
          >Share of the calls (0 to 1)<input
            type="number"
            name="chance"
            min="0"
            max="1"
            step="0.01"
        /></label>
        <label
          >Status<input type="number" name="status" min="500" max="599" step="1" placeholder="500"
        /></label>
        <label
          >Seconds<input type="number" name="seconds" min="0" max="600" step="0.1" placeholder="1"
        /></label>
        <label>Marker<input name="marker" placeholder="poison" /></label>
        <label
          >A marked call says<select name="says">
            <option value="data">400, pointer /data</option>
            <option value="item">400, pointer at the item</option>
            <option value="error">a server error</option>
          </select></label
        >
        <label class="check"
          ><input type="checkbox" name="processed" value="yes" /> taken all the same</label
        >
        <button class="main">Add</button>
      </form>
    </details>
  </section>`
