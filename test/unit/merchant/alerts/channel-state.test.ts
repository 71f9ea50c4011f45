import { describe, expect, it } from 'vitest'
import {
  stateIn,
  stateWhenSent,
  stateWhileSent,
  stateWithNews,
  messagesIn,
} from '../../../../src/merchant/alerts/channel-state.js'
import type { Alert, ChannelState, Told } from '../../../../src/merchant/alerts/alert.js'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 23, 12, minutes))
const said = (told: Partial<Told>): Told => ({
  type: 'begun',
  holds: true,
  at: at(0).toISOString(),
  times: 1,
  to: ['email'],
  ...told,
})
const begun: Alert = {
  id: 'noPull-1',
  condition: 'noPull',
  begunAt: at(0),
  endedAt: undefined,
  facts: {},
  times: 1,
  rule: '',
  told: said({}),
  states: {},
}
const ended: Partial<Alert> = {
  endedAt: at(60),
  told: said({ type: 'ended', holds: false, at: at(60).toISOString() }),
}
const withLine = (alert: Alert, line: ChannelState | undefined): Alert =>
  line ? { ...alert, states: { email: line } } : alert
const withNews = (alert: Alert) => withLine(alert, stateWithNews(alert, 'email'))
const sent = (alert: Alert, error?: string, now = at(70)) =>
  withLine(alert, stateWhenSent(stateWhileSent(stateIn(alert, 'email'), now), { error, now }))
const types = (alert: Alert) => messagesIn([alert], 'email').map(({ told }) => told?.type)

describe('What a channel is told of an alert', () => {
  it('begins with its beginning, though it is over by then, and its end comes after it', () => {
    const over = withNews({ ...withNews(begun), ...ended })
    expect(types(over)).toEqual(['begun'])
    expect(types(withNews(sent(over, 'TIMEOUT')))).toEqual(['begun'])
    const heard = withNews(sent(over))
    expect(types(heard)).toEqual(['ended'])
    expect(types(withNews(sent(heard)))).toEqual([])
  })

  it('has no end of what it never heard', () => {
    const over = { ...withNews(begun), ...ended }
    const givenUp = withNews(sent(over, 'TIMEOUT', at(25 * 60)))
    expect(types(givenUp)).toEqual([])
    expect(stateIn(givenUp, 'email').failed).toMatchObject({ error: 'TIMEOUT' })
  })

  it('has no end that is not so any more', () => {
    const over = withNews({ ...sent(withNews(begun)), ...ended })
    expect(types(over)).toEqual(['ended'])
    const back = {
      ...over,
      endedAt: undefined,
      told: said({ times: 2, at: at(120).toISOString() }),
    }
    expect(types(withNews(back))).toEqual(['begun'])
  })

  it('goes on with what an earlier version told', () => {
    const { type, holds, at, times } = begun.told
    const earlier = { ...begun, told: { type, holds, at, times }, wasTold: true }
    expect(types(withNews(earlier))).toEqual([])
    expect(types(withNews({ ...earlier, ...ended }))).toEqual(['ended'])
  })
})
