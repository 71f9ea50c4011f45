import { Gutter, SetStepNav } from '@payloadcms/ui'
import type { BasePayload, PayloadRequest } from 'payload'
import type { ReactNode } from 'react'
import { refusalOf } from '../../../core/installation.js'
import type { IsAdmin } from '../../../core/payload/admin-access.js'
import { Notice } from '../notice.js'
import type { Words } from '../words.js'
import { SelfRefresh } from '../page-refresh.js'

interface FrameProps {
  payload: BasePayload
  isCard?: boolean
  words: Words
  children: ReactNode
}

/** The style of our pages, which renew themselves. Where Storeconnect does not work, it says so. */
export function Frame({ payload, isCard = false, words, children }: FrameProps) {
  const refusal = refusalOf(payload)
  if (refusal !== undefined) {
    const { key, values } = refusal.text
    return <Notice type="error">{words.translate(key, values)}</Notice>
  }
  return (
    <div className={`storeconnect-overview ${isCard ? 'storeconnect-overview--card' : ''}`}>
      <style href="storeconnect-overview" precedence="medium">
        {overviewStyle}
      </style>
      <SelfRefresh />
      {children}
    </div>
  )
}

interface PageFrameProps extends Pick<FrameProps, 'words' | 'children'> {
  req: PayloadRequest
  isAdmin: IsAdmin
  heading: string
  /** What the top of the admin shows, where a phone has little room. Default: the heading. */
  name?: string
  intro?: ReactNode
}

/** A page of ours. For admins only. */
export async function PageFrame(props: PageFrameProps) {
  const { req, isAdmin, heading, name = heading, intro, words, children } = props
  return (
    <>
      <SetStepNav nav={[{ label: name }]} />
      <Gutter>
        {(await isAdmin({ req })) ? (
          <Frame payload={req.payload} words={words}>
            <div className="storeconnect-overview__head">
              <h1>{heading}</h1>
              {intro}
              <p>{words.translate('overviewTimes', { timezone: words.timezone })}</p>
            </div>
            {children}
          </Frame>
        ) : (
          <Notice type="error">{req.t('error:notAllowedToAccessPage')}</Notice>
        )}
      </Gutter>
    </>
  )
}

/** The styles use Payload's own variables, so that they fit the light and the dark admin: those of Payload 3, else of 4. */
export const overviewStyle = `
.storeconnect-overview { --space: var(--base, 1.25rem); --text: var(--theme-text, var(--color-text)); --line: var(--theme-border-color, var(--color-border)); --good: var(--theme-success-500, var(--color-bg-success)); --corner: var(--style-radius-s, var(--radius-medium)); }
.storeconnect-overview { display: grid; gap: calc(var(--space) * 2); padding-block: var(--space) calc(var(--space) * 3); }
.storeconnect-overview h1, .storeconnect-overview h2, .storeconnect-overview h3, .storeconnect-overview p, .storeconnect-overview dl, .storeconnect-overview ol { margin: 0; }
.storeconnect-overview__head { display: grid; gap: calc(var(--space) * 0.25); }
.storeconnect-overview section { display: grid; gap: calc(var(--space) * 0.75); align-content: start; min-width: 0; }
.storeconnect-overview p, .storeconnect-overview li, .storeconnect-overview dt { color: var(--text); }
.storeconnect-overview th { color: var(--text); }
.storeconnect-overview .banner { margin: 0; }
.storeconnect-overview .btn { margin-block: 0; }
.storeconnect-overview table td { vertical-align: top; overflow-wrap: anywhere; }
.storeconnect-overview .table { overflow-x: auto; margin: 0; }
.storeconnect-overview form { display: grid; gap: calc(var(--space) * 0.75); justify-items: start; }
.storeconnect-overview form .field-type { margin: 0; width: 100%; }
.storeconnect-overview__columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: var(--space); }
.storeconnect-overview__card { border: 1px solid var(--line); border-radius: var(--corner); background: color-mix(in srgb, var(--text) 4%, transparent); padding: var(--space); }
.storeconnect-overview__heading { display: flex; flex-wrap: wrap; align-items: center; gap: calc(var(--space) * 0.5); justify-content: space-between; }
.storeconnect-overview__row { display: flex; flex-wrap: wrap; align-items: center; gap: calc(var(--space) * 0.5); }
.storeconnect-overview__facts { display: grid; grid-template-columns: minmax(5rem, max-content) minmax(0, 1fr); gap: calc(var(--space) * 0.25) var(--space); }
.storeconnect-overview__facts dt { font-weight: 600; }
.storeconnect-overview__facts dd { margin: 0; overflow-wrap: anywhere; }
.storeconnect-overview > .storeconnect-overview__answer:empty { position: absolute; }
@media (max-width: 600px) {
  .storeconnect-overview .table :is(th, td) { min-width: 0; padding-inline: calc(var(--space) * 0.3); }
  .storeconnect-overview__facts { grid-template-columns: minmax(0, 1fr); }
  .storeconnect-overview__facts dd { margin-bottom: calc(var(--space) * 0.25); }
}
.storeconnect-overview--card { padding-block: 0 calc(var(--space) * 2); }
.storeconnect-overview__summary { display: flex; flex-wrap: wrap; align-items: center; gap: calc(var(--space) * 0.5) calc(var(--space) * 1.5); list-style: none; margin: 0; padding: 0; }
.storeconnect-overview__summary li { display: flex; align-items: center; gap: calc(var(--space) * 0.4); }
.storeconnect-overview details > :not(summary) { margin-top: calc(var(--space) * 0.5); }
.storeconnect-overview summary h3 { display: inline; }
.storeconnect-overview__quiet { color: color-mix(in srgb, var(--text) 75%, transparent); }
.storeconnect-overview code, .storeconnect-overview pre { background: color-mix(in srgb, var(--text) 8%, transparent); color: var(--text); border-radius: var(--corner); padding: 0.15em 0.4em; overflow-wrap: anywhere; }
.storeconnect-overview pre { padding: calc(var(--space) * 0.5); margin: 0; max-height: 32rem; overflow: auto; white-space: pre-wrap; width: 100%; }
.storeconnect-overview__fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: calc(var(--space) * 0.75); width: 100%; }
.storeconnect-overview__answer { display: grid; gap: calc(var(--space) * 0.75); }
.storeconnect-overview__chart { display: block; width: 100%; height: 8rem; border-bottom: 1px solid var(--line); }
.storeconnect-overview__chart rect { fill: var(--good); }
.storeconnect-overview__axis { display: grid; grid-template-columns: repeat(4, 1fr); color: var(--text); }
.storeconnect-overview progress { width: 100%; accent-color: var(--good); height: 0.75rem; }
.storeconnect-overview :is(.storeconnect-overview__matters, .storeconnect-overview__attempts) { display: grid; gap: calc(var(--space) * 0.5); list-style: none; margin: 0; padding: 0; }
.storeconnect-overview__steps { display: grid; gap: calc(var(--space) * 0.25); list-style: none; padding: 0; }
.storeconnect-overview__act { margin-top: calc(var(--space) * 0.25); }
.storeconnect-overview summary { cursor: pointer; }
`
