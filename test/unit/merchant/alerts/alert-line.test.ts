import { expect, it } from 'vitest'
import { lineWithNews, messagesIn } from '../../../../src/merchant/alerts/alert-line.js'
import type { Alert, Told } from '../../../../src/merchant/alerts/alert.js'

const begunAt = new Date('2026-11-23T12:00:00Z')
const endedAt = new Date('2026-11-23T13:00:00Z')

const told = (type: Told['type'], at: Date): Told => ({
  type,
  holds: type !== 'ended',
  at: at.toISOString(),
  times: 1,
})

it('A channel is told the end of an alert whose beginning an earlier version told, and no beginning again', () => {
  const begun: Alert = {
    id: 'noPull-1',
    condition: 'noPull',
    begunAt,
    endedAt: undefined,
    facts: {},
    times: 1,
    rule: '',
    told: told('begun', begunAt),
    wasTold: true,
    lines: {},
  }
  const toldNow = (alert: Alert) => {
    const line = lineWithNews(alert, 'email')
    const lines = line === undefined ? {} : { email: line }
    return messagesIn([{ ...alert, lines }], 'email').map(({ told }) => told?.type)
  }
  expect(toldNow(begun)).toEqual([])
  expect(
    toldNow({ ...begun, endedAt, told: { ...told('ended', endedAt), to: ['email'] } }),
  ).toEqual(['ended'])
})
