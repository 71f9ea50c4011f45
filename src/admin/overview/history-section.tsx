import type { Histories } from '../../history/histories.js'
import { HistoryPanel } from './history-panel.js'
import { Section } from './section.js'
import type { Words } from './words.js'

/** Sends the orders of the past, and shows how far that has come. */
export async function HistorySection({ histories, words }: { histories: Histories; words: Words }) {
  const run = await histories.latest()
  return (
    <Section heading={words.translate('overviewHistory')}>
      <p>{words.translate('overviewHistoryIntro')}</p>
      <HistoryPanel {...(run && { initial: run })} />
    </Section>
  )
}
