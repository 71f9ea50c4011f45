import type { KlaviyoStandIn } from '../stand-in.ts'
import type { StoredEvent, StoredProfile } from '../stored.ts'
import { html } from '../../../src/mounts/cli/klaviyo/html.js'
import { consentTags } from './lists-section.ts'
import { button, newest, shownName, shownOf, shownProperties, shownTime } from './shown.ts'

export function profilesSection({ state }: KlaviyoStandIn) {
  const profiles = [...state.profiles.values()]
  const latest = newest(profiles.sort((one, other) => one.updatedAt - other.updatedAt))
  return html`<section aria-labelledby="profiles">
    <h2 id="profiles">Profiles</h2>
    ${
      profiles.length === 0
        ? html`<p class="faded">None yet. Sign up in the store, and the profile comes up here.</p>`
        : html`<p class="faded">${shownOf(profiles.length)}</p>
            <div class="scroll" tabindex="0" role="region" aria-labelledby="profiles">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Updated</th>
                    <th scope="col">Name</th>
                    <th scope="col">Email</th>
                    <th scope="col">Phone</th>
                    <th scope="col">Consent</th>
                    <th scope="col">More</th>
                    <th scope="col">Action</th>
                  </tr>
                </thead>
                <tbody>
                  ${latest.map(profileRow)}
                </tbody>
              </table>
            </div>`
    }
  </section>`
}

function profileRow(profile: StoredProfile) {
  const { id, attributes, location, properties, updatedAt } = profile
  const { first_name, last_name, email = '', phone_number = '', ...others } = attributes
  const name = [first_name, last_name].filter(Boolean).join(' ')
  const place = Object.keys(location).length > 0 ? { location } : {}
  return html`<tr>
    <td>${shownTime(updatedAt)}</td>
    <td>${name}</td>
    <td>${email}</td>
    <td>${phone_number}</td>
    <td>${consentTags(profile)}</td>
    <td>${shownProperties(`profile-${id}`, { ...others, ...place, ...properties })}</td>
    <td>
      ${profile.consent.email?.status === 'SUBSCRIBED' ? button({ path: '/unsubscribe', id }, 'Unsubscribe', shownName(profile)) : ''}
    </td>
  </tr>`
}

export function eventsSection({ state }: KlaviyoStandIn) {
  const { events, profiles } = state
  const rows = newest(events).map((event) => eventRow(event, profiles.get(event.profile)))
  return html`<section aria-labelledby="events">
    <h2 id="events">Events</h2>
    ${
      events.length === 0
        ? html`<p class="faded">None yet. An event is recorded once, however often it arrives.</p>`
        : html`<p class="faded">${shownOf(events.length)}</p>
            <div class="scroll" tabindex="0" role="region" aria-labelledby="events">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Happened</th>
                    <th scope="col">Event</th>
                    <th scope="col">Who</th>
                    <th scope="col" class="number">Value</th>
                    <th scope="col">More</th>
                    <th scope="col">Unique id</th>
                    <th scope="col" class="number">Arrived</th>
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

const eventRow = (event: StoredEvent, profile: StoredProfile | undefined) =>
  html`<tr>
    <td>${shownTime(event.time)}</td>
    <td>${event.metric}</td>
    <td>${profile ? shownName(profile) : event.profile}</td>
    <td class="number">${event.value ?? ''} ${event.currency ?? ''}</td>
    <td>${shownProperties(`event-${event.id}`, event.properties)}</td>
    <td><code>${event.uniqueId}</code></td>
    <td class="number">${event.arrivals === 1 ? 'once' : `${event.arrivals} times`}</td>
  </tr>`
