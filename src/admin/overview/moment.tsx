import type { Words } from './words.js'

/** When something happened, and how long ago that is. */
export function Moment({ at, words }: { at: Date | undefined; words: Words }) {
  if (at === undefined) return words.translate('overviewNever')
  return (
    <time dateTime={at.toISOString()}>
      {words.ago(at)} <span className="storeconnect-overview__quiet">({words.moment(at)})</span>
    </time>
  )
}
