import type { PayloadRequest, TextField } from 'payload'
import * as z from 'zod/mini'
import { watchedSection } from '../core/matter.js'
import { label } from '../core/payload/label.js'
import { settingText } from '../core/payload/setting-choice.js'
import {
  checkboxSetting,
  chosen,
  countSetting,
  textsSetting,
} from '../core/payload/setting-kinds.js'
import type { Setting } from '../core/payload/settings-table.js'
import type { OrderStatuses } from '../shop/orders/order-choices.js'

/** A year: nobody waits longer. */
const mostHours = 8_784

type ManyTexts = Extract<TextField, { hasMany: true }>

const paidStatusesView = {
  section: watchedSection,
  description: 'paidStatusesDescription',
} as const

/** The statuses of an order that is paid and to be shipped, chosen from the store's own. */
export const paidStatuses: Setting<readonly string[], OrderStatuses> = {
  ...textsSetting(paidStatusesView),
  // What the overview tells a merchant to type in ShipStation.
  schema: z._default(z.array(z.string().check(z.trim(), z.minLength(1))).check(z.minLength(1)), [
    'processing',
  ]),
  field(about) {
    const { statusesIn } = about.parts
    const validate = (value: unknown, { req }: { req: PayloadRequest }) => {
      const statuses = [value ?? []].flat()
      if (statuses.length === 0) return label('paidStatusesNeeded')(req)
      const offered = statusesIn(req.payload).map((choice) => choice.value)
      const isKnown = (status: unknown) => offered.includes(settingText(status))
      // A status that is no dropdown may be any text.
      return offered.length === 0 || statuses.every(isKnown) || label('statusUnknown')(req)
    }
    const shownAs = (field: ManyTexts) => chosen({ ...field, validate }, statusesIn)
    return textsSetting({ ...paidStatusesView, shownAs }).field(about)
  },
  // Without a status no alert could begin, so the presets count for a list that is empty.
  read(stored, presets) {
    const statuses = textsSetting(paidStatusesView).read(stored, presets)
    return statuses.length > 0 ? statuses : presets
  },
}

export const hours = (preset: number) =>
  countSetting(preset, { section: watchedSection, isBeside: true, least: 1, most: mostHours })

/** The settings that several matters read. */
export const shared = {
  paidStatuses,
  /** On: the hours of the first two pass on Mondays to Fridays only, in the shop's time zone. */
  businessDays: checkboxSetting(false, {
    section: watchedSection,
    description: 'businessDaysDescription',
  }),
  /** How many minutes a pull may be silent before its last page. */
  windowStoppedMinutes: countSetting(30, { section: watchedSection, isBeside: true, least: 1 }),
}
