'use client'

import { parcelStateTexts } from '../../shop/orders/parcel-state.js'
import type { Standing } from '../story/story-entry.js'
import { useReaderTimezone, useWords } from './use-words.js'

/** How an order stands at ShipStation, in one sentence. */
export function StandingText({ standing }: { standing: Standing }) {
  const { translate, number, moment } = useWords(useReaderTimezone())
  switch (standing.is) {
    case 'shipped': {
      const { carrier, trackingNumber, url, state, parcels } = standing
      const parcel = [carrier, trackingNumber].filter(Boolean).join(' · ')
      return (
        <span>
          {translate(state === undefined ? 'shipped' : parcelStateTexts[state])}
          {parcel !== '' && ': '}
          {url === undefined ? (
            parcel
          ) : (
            <a href={url} rel="noreferrer" target="_blank">
              {parcel}
            </a>
          )}
          {parcels > 1 && ` +${number(parcels - 1)}`}
        </span>
      )
    }
    case 'skipped':
      return <span>{`${translate('storySkipped')}: ${standing.reasons}`}</span>
    case 'pulled':
      return <span>{`${translate('orderPulls')}: ${moment(new Date(standing.at))}`}</span>
    case 'waits':
      return <span>{translate('standingWaits')}</span>
  }
}
