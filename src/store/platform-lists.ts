import type { PlatformList } from '../marketing/platform.js'

/** The lists as the marketing platform last told them. */
export interface KeptLists {
  readAt: Date
  lists: readonly PlatformList[]
  /** False where the account has more lists than were read. */
  isComplete: boolean
}

/** Where the last good answer outlives the process that got it. */
export interface PlatformListMemory {
  /** Undefined when the platform never answered to this key. */
  read(apiKey: string): Promise<KeptLists | undefined>
  keep(apiKey: string, kept: KeptLists): Promise<void>
}
