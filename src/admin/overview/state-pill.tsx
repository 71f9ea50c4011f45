import { Pill } from '@payloadcms/ui'
import type { TranslationKey } from '../../store/payload/label.js'
import type { PlatformState } from './platform-state.js'
import type { Words } from './words.js'

type Looks = Record<
  PlatformState['is'],
  { word: TranslationKey; style: 'success' | 'error' | 'warning' }
>

const looks: Readonly<Looks> = {
  works: { word: 'overviewWorks', style: 'success' },
  'needs-you': { word: 'overviewNeedsYou', style: 'error' },
  'not-set-up': { word: 'overviewNotSetUp', style: 'warning' },
}

/** How a platform is, in a word and a colour. */
export const StatePill = ({ is, words }: Pick<PlatformState, 'is'> & { words: Words }) => (
  <Pill pillStyle={looks[is].style} size="small">
    {words.translate(looks[is].word)}
  </Pill>
)
