import { createOnce } from '../../core/database/cached-value.js'
import type {
  FeatureMatters,
  MatterRow,
  MatterState,
  MatterFacts,
  Step,
} from '../../core/matter.js'
import type { Shop } from '../../core/shop.js'
import type { AlertSettings } from './alert-settings.js'
import type { Alert } from './alert.js'
import { snoozeEnd } from './decide-alerts.js'

export interface MatterNow {
  name: string
  row: MatterRow
  state: MatterState
}

export type ReadMatters = ReturnType<typeof createReadMatters>

/** Reads every matter of the shop. One that cannot be read stays as it was, and the others are still read. */
export const createReadMatters =
  ({ log, options: { timezone } }: Shop, features: () => readonly FeatureMatters[]) =>
  async (
    settings: AlertSettings,
    { now, alerts }: { now: Date; alerts: readonly Alert[] },
    once = createOnce(),
  ): Promise<MatterNow[]> => {
    const switches: Readonly<Record<string, unknown>> = { ...settings }
    const found: MatterNow[] = []
    for (const feature of features()) {
      const read = feature.begin(once)
      for (const [name, row] of Object.entries(feature.rows)) {
        const existing = alerts.find(({ condition }) => condition === name)
        const switchName = ('switchOf' in row && row.switchOf) || name
        const isOff = 'settings' in row && switches[switchName] !== true
        const state = isOff
          ? 'off'
          : await read(name, { settings, now, timezone, existing }).catch((error: unknown) => {
              log.error({ err: error, condition: name }, 'A condition for alerts could not be read')
              return 'unknown' as const
            })
        found.push({ name, row, state })
      }
    }
    return found
  }

export interface OpenMatter {
  name: string
  row: MatterRow
  facts: MatterFacts
  since: Date | undefined
  alert: { id: string; snoozedUntil: Date | undefined } | undefined
}

export interface FirstStep extends Pick<OpenMatter, 'name'> {
  row: Step
  /** Undefined where the shop cannot tell. */
  isDone: boolean | undefined
}

/** Whether ShipStation or Klaviyo works, for a merchant. */
export type PlatformState = 'works' | 'needs-you' | 'not-used-yet' | 'not-set-up'

/** What is open of what was read. What is not known now is as its alert says. */
export function openMatters(
  read: readonly MatterNow[],
  { now, alerts }: { now: Date; alerts: readonly Alert[] },
) {
  const open = read.flatMap(({ name, row, state }): OpenMatter[] => {
    const alert = alerts.find((one) => one.condition === name && one.endedAt === undefined)
    const facts =
      state === 'unknown' ? alert?.facts : typeof state === 'object' && state.isOpen && state.facts
    if (!facts) return []
    const until = alert && snoozeEnd(alert, now)
    return [
      {
        name,
        row,
        facts,
        since: facts.since === undefined ? alert?.begunAt : new Date(facts.since),
        alert: alert && { id: alert.id, snoozedUntil: until && until > now ? until : undefined },
      },
    ]
  })
  const steps = read.flatMap(({ name, row, state }): FirstStep[] => {
    if (!('step' in row)) return []
    const isGone = typeof state === 'object' && !state.isOpen
    return [{ name, row, isDone: state === 'unknown' ? undefined : isGone }]
  })
  return { open, steps, states: statesOf(read, open) }
}

const platforms = ['ShipStation', 'Klaviyo'] as const

function statesOf(read: readonly MatterNow[], open: readonly OpenMatter[]) {
  const used = platforms.filter((name) => read.some(({ row }) => row.of === name))
  return Object.fromEntries(used.map((name) => [name, stateOf(open, name)])) as Readonly<
    Partial<Record<(typeof platforms)[number], PlatformState>>
  >
}

/** What is not set up comes first, because it may cause the others. */
function stateOf(open: readonly OpenMatter[], platform: string): PlatformState {
  const rows = open.map(({ row }) => row).filter(({ of }) => of === platform)
  const stages = rows.flatMap((row) => ('step' in row ? (row.stage ?? []) : []))
  if (stages.includes('not-set-up')) return 'not-set-up'
  if (stages.length > 0) return 'not-used-yet'
  return rows.some((row) => 'text' in row) ? 'needs-you' : 'works'
}
