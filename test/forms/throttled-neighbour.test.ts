import { expect, it } from 'vitest'
import { openMarketingDoor } from './marketing-door.js'

it('300 posts from one address leave a neighbour of its network their own', async () => {
  const door = openMarketingDoor()
  door.state.settings = { postsPerAddress: 60, postsPerNetwork: 300 }
  const statuses = new Map<number, number>()
  for (let count = 0; count < 300; count += 1) {
    const { status } = await door.identify({}, { address: '192.0.2.1' })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect([...statuses]).toEqual([
    [303, 60],
    [429, 240],
  ])
  const neighbour = await door.identify({ email: 'ann@shop.example' }, { address: '192.0.2.2' })
  expect(neighbour.status).toBe(303)
  expect(door.only('identify')).toHaveLength(1)
})
