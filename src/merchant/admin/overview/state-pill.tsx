import { Pill } from '@payloadcms/ui'
import type { PlatformState } from '../../alerts/open-matters.js'
import type { Words } from '../words.js'

const looks = {
  works: { sentence: 'overviewWorks', style: 'success' },
  'needs-you': { sentence: 'overviewNeedsYou', style: 'error' },
  'not-used-yet': { sentence: 'overviewNotUsedYet', style: 'warning' },
  'not-set-up': { sentence: 'overviewNotSetUp', style: 'warning' },
} as const

interface StatePillProps {
  platform: string
  is: PlatformState
  words: Words
}

/** The state of ShipStation or Klaviyo in one sentence. Screen readers announce when it changes. */
export const StatePill = ({ platform, is, words }: StatePillProps) => (
  <div role="status">
    <Pill pillStyle={looks[is].style} size="small">
      {words.translate(looks[is].sentence, { name: platform })}
    </Pill>
  </div>
)
