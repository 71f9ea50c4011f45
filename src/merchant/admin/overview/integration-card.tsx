import type { ReactNode } from 'react'
import type { PlatformState } from '../../alerts/open-matters.js'
import { Section } from './section.js'
import { StatePill } from './state-summary.js'
import type { Words } from '../words.js'

interface IntegrationCardProps {
  name: string
  state: PlatformState
  words: Words
  children: ReactNode
}

/** The state of an integration, and facts about it. */
export const IntegrationCard = ({ name, state, words, children }: IntegrationCardProps) => (
  <Section aside={<StatePill is={state} words={words} />} heading={name} isCard>
    {children}
  </Section>
)
