import { Pill } from '@payloadcms/ui'
import type { ConnectionState } from './connection-state.js'
import type { Words } from './words.js'

/** The one word that says how a platform is connected. */
export function ConnectionPill({ state, words }: { state: ConnectionState; words: Words }) {
  return (
    <Pill pillStyle={state.is} size="small">
      {words.translate(state.word)}
    </Pill>
  )
}
