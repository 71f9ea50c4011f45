import { createOnce } from '../../core/database/cached-reading.js'
import type { FeatureMatters, MatterRow, Reading } from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import type { AlertSettings } from './alert-settings.js'
import type { Alert } from './alert.js'

/** A matter, and what is true of it. */
export interface ReadMatter {
  name: string
  row: MatterRow
  reading: Reading
}

export type ReadMatters = ReturnType<typeof createReadMatters>

/** Reads every matter of the shop. One that cannot be read stays as it was, and the others are still read. */
export const createReadMatters =
  ({ log, options: { timezone } }: Shop, features: () => readonly FeatureMatters[]) =>
  async (
    settings: AlertSettings,
    { now, alerts }: { now: Date; alerts: readonly Alert[] },
    once = createOnce(),
  ): Promise<ReadMatter[]> => {
    const switches: Readonly<Record<string, unknown>> = { ...settings }
    const found: ReadMatter[] = []
    for (const feature of features()) {
      const read = feature.begin(once)
      for (const [name, row] of Object.entries(feature.rows)) {
        const known = alerts.find(({ condition }) => condition === name)
        const isOff = 'settings' in row && switches[name] !== true
        const reading = isOff
          ? 'off'
          : await read(name, { settings, now, timezone, known }).catch((error: unknown) => {
              log.error({ err: error, condition: name }, 'A condition for alerts could not be read')
              return 'unknown' as const
            })
        found.push({ name, row, reading })
      }
    }
    return found
  }
