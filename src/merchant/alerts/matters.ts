import { gone, open, matterRows } from '../../core/matter.js'

const row = matterRows<{ isToldToSomebody: boolean }>()

export const alertMatters = {
  nobodyTold: row({
    of: 'shop',
    adminPath: '/globals/alert-settings',
    step: 'stepAlerts',
    read: ({ facts: { isToldToSomebody } }) => (isToldToSomebody ? gone : open({})),
  }),
} as const
