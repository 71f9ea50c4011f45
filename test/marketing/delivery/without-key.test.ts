import { expect, it } from 'vitest'
import { anEvent, anIdentify, anUnsubscribe } from '../../support/messages.js'
import { simulatedStore } from '../../support/simulated-store.js'
import { anyKind } from '../../support/store.js'

const day = 24 * 3_600_000
const world = simulatedStore(anyKind, { workers: ({ pruning }) => [pruning] })
const kinds = async () => (await world.sends()).map(({ kind }) => kind)
const pass = async (days: number) => {
  world.move(days * day)
  await world.pass()
}

it('A send waits 90 days for a key that nobody enters, and an objection for ever', async () => {
  await world.save({ privateApiKey: '' })
  await world.store(anEvent('a@x.io', '1'), anIdentify('b@x.io'), anUnsubscribe('c@x.io'))
  await pass(89)
  expect(await kinds()).toEqual(['event', 'identify', 'unsubscribe'])
  await pass(2)
  expect(await kinds()).toEqual(['unsubscribe'])
})

it('A send that waits for Klaviyo is not deleted while there is a key', async () => {
  world.standIn.faults.add({ kind: 'wrong-key' })
  await world.store(anEvent('a@x.io', '1'))
  await pass(91)
  expect(await kinds()).toEqual(['event'])
})
