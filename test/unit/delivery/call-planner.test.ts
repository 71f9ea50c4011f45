import { describe, expect, it } from 'vitest'
import { createCallPlanner } from '../../../src/delivery/call-planner.js'
import { createProfileQueues } from '../../../src/delivery/profile-queues.js'
import type { WaitingSend } from '../../../src/delivery/send.js'
import { klaviyoBounds as bounds } from '../../../src/klaviyo/limits.js'
import { freshBudget, shopAt } from './fresh-budget.js'

const start = 1_800_000_000_000

const aListAdd = (id: number): WaitingSend => ({
  id,
  kind: 'list-add',
  profile: `email:${id}@example.com`,
  list: 'NEWS',
  bytes: 100,
  batchSize: Infinity,
  attempts: 0,
  crashes: 0,
  acceptedAt: new Date(start),
  dueAt: start,
  isUnanswered: false,
  knownUntil: 0,
})

describe('The next calls', () => {
  it('are made although the clock goes on while they are chosen', () => {
    let at = start
    const now = () => new Date(at++)
    const budget = freshBudget(now)
    const queues = createProfileQueues()
    const { items } = bounds.calls['list-members']
    for (let id = 1; id <= items + 1; id++) queues.add(aListAdd(id))
    const planned = createCallPlanner(shopAt(now), { queues, budget, bounds })('list-add', 'key')
    expect(planned).toMatchObject({ permits: [{ call: 'list-members' }] })
    expect('parts' in planned && planned.parts).toHaveLength(items)
  })
})
