import { gone, holding, matterRows } from '../../core/matter.js'

const row = matterRows<{ isToldToSomebody: boolean }>()

export const alertMatters = {
  nobodyTold: row({
    of: 'shop',
    page: '/globals/alert-settings',
    step: 'stepAlerts',
    read: ({ facts: { isToldToSomebody } }) => (isToldToSomebody ? gone : holding({})),
  }),
} as const
