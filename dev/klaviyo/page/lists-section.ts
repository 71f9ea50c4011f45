import type { KlaviyoStandIn } from '../stand-in.ts'
import type { StoredList, StoredProfile } from '../stored.ts'
import { html } from '../../../src/mounts/cli/klaviyo/html.js'
import { button, newest, shownName, shownOf, shownTime } from './shown.ts'

export function confirmationsSection({ state }: KlaviyoStandIn) {
  const waiting = [...state.confirmations.values()].filter(
    ({ confirmedAt }) => confirmedAt === undefined,
  )
  const rows = newest(waiting).map(({ id, profile: profileId, list, channels, sentAt }) => {
    const profile = state.profiles.get(profileId)
    const name = profile ? shownName(profile) : profileId
    return html`<tr>
      <td>${shownTime(sentAt)}</td>
      <td>${name}</td>
      <td>${profile?.attributes.email ?? profile?.attributes.phone_number ?? ''}</td>
      <td>${state.lists.get(list ?? '')?.name ?? 'the account'}</td>
      <td>${channels.join(', ')}</td>
      <td>${button({ path: '/confirm', id }, 'Confirm', name)}</td>
    </tr>`
  })
  return html`<section aria-labelledby="confirmations">
    <h2 id="confirmations">Waiting for confirmation</h2>
    ${
      rows.length === 0
        ? html`<p class="faded">
            Nobody. Who signs up for a double opt-in list is asked to confirm first, and waits here.
          </p>`
        : html`<p class="faded">
              Each was sent a message with a link; Confirm does what the link would.
              ${shownOf(waiting.length)}
            </p>
            <div class="scroll" tabindex="0" role="region" aria-labelledby="confirmations">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Sent</th>
                    <th scope="col">Who</th>
                    <th scope="col">Address</th>
                    <th scope="col">List</th>
                    <th scope="col">For</th>
                    <th scope="col">Action</th>
                  </tr>
                </thead>
                <tbody>
                  ${rows}
                </tbody>
              </table>
            </div>`
    }
  </section>`
}

export const listsSection = (standIn: KlaviyoStandIn) =>
  html`<section aria-labelledby="lists">
    <h2 id="lists">Lists</h2>
    <div class="cards">
      ${[...standIn.state.lists.values()].map((list) => listCard(standIn, list))}
    </div>
  </section>`

function listCard({ state }: KlaviyoStandIn, { id, name, optIn, members }: StoredList) {
  const rows = newest([...members.keys()]).map((member) => {
    const profile = state.profiles.get(member)
    if (!profile) return html`<li>${member}</li>`
    return html`<li><span>${shownName(profile)}</span> ${consentTags(profile)}</li>`
  })
  return html`<article class="card">
    <h3>${name} <code class="faded">${id}</code></h3>
    <p class="faded">
      ${members.size} ${members.size === 1 ? 'member' : 'members'} ·
      ${optIn === 'double_opt_in' ? 'double opt-in' : 'single opt-in'}. ${shownOf(members.size)}
    </p>
    ${
      rows.length > 0
        ? html`<ul>
            ${rows}
          </ul>`
        : ''
    }
  </article>`
}

/** One tag for each channel that the person has said something about. */
export function consentTags({ consent, suppressions }: StoredProfile) {
  const tags = Object.entries(consent).map(([channel, { status }]) =>
    status === 'SUBSCRIBED'
      ? html`<span class="tag yes">${channel}: subscribed</span> `
      : html`<span class="tag wait">${channel}: unsubscribed</span> `,
  )
  const held = suppressions.map(
    ({ reason }) =>
      html`<span class="tag wait">${reason.toLowerCase().replaceAll('_', ' ')}</span> `,
  )
  if (tags.length + held.length === 0) return html`<span class="tag">no consent</span>`
  return html`<span>${tags}${held}</span>`
}
