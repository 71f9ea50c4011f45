import { Gutter, SetStepNav } from '@payloadcms/ui'
import type { BasePayload, PayloadRequest } from 'payload'
import type { ReactNode } from 'react'
import { refusalOf } from '../../../core/installation.js'
import type { IsAdmin } from '../../../core/payload/admin-access.js'
import { Notice } from '../notice.js'
import type { Words } from '../words.js'
import { overviewStyle } from './overview-style.js'
import { SelfRefresh } from './self-refresh.js'

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
  /** The pages above this one. */
  above?: { label: string; url: string }[]
  heading: string
  /** What the top of the admin shows, where a phone has little room. Default: the heading. */
  name?: string
  /** Stands below the heading. */
  intro?: ReactNode
}

/** A page of ours. For admins only. */
export async function PageFrame(props: PageFrameProps) {
  const { req, isAdmin, above = [], heading, name = heading, intro, words, children } = props
  return (
    <>
      <SetStepNav nav={[...above, { label: name }]} />
      <Gutter>
        {(await isAdmin({ req })) ? (
          <Frame payload={req.payload} words={words}>
            <header>
              <h1>{heading}</h1>
              {intro}
              <p>{words.translate('overviewTimes', { timezone: words.timezone })}</p>
            </header>
            {children}
          </Frame>
        ) : (
          <Notice type="error">{req.t('error:notAllowedToAccessPage')}</Notice>
        )}
      </Gutter>
    </>
  )
}
