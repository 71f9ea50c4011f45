import type { BasePayload } from 'payload'
import type {
  Overview,
  OverviewDetails,
  OverviewFacts,
} from '../../src/merchant/overview/overview.js'
import type { Parts } from '../../src/core/installation.js'
import { loadedPartsIn, partsOf as startedPartsOf } from '../../src/core/installation.js'

/** The parts of a store with ShipStation and Klaviyo. */
export type WholeParts = Omit<Required<Parts>, 'overview'> & { overview: WholeOverview }

interface WholeOverview extends Pick<
  Overview,
  'missingProductFields' | 'valueSources' | 'compared'
> {
  facts(): Promise<Present<OverviewFacts>>
  details(): Promise<Present<OverviewDetails> & { today: Present<OverviewDetails['today']> }>
}

type Present<Read> = { [Name in keyof Read]: NonNullable<Read[Name]> }

/** The parts of a store that is open: `openStore` has loaded them. */
export function partsOf(payload: BasePayload): WholeParts {
  const parts = loadedPartsIn(payload)
  if (parts === undefined) throw new Error('The parts of this store are not loaded.')
  return parts as WholeParts
}

/** The same of an instance that may not have needed them yet. */
export const wholePartsOf = async (payload: BasePayload): Promise<WholeParts> =>
  (await startedPartsOf(payload)) as WholeParts
