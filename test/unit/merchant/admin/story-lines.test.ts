import { expect, it } from 'vitest'
import { storyLines } from '../../../../src/merchant/admin/story-lines.js'
import type { StoryEntry } from '../../../../src/merchant/story/story-entry.js'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 12, minute)).toISOString()

const pull = (minute: number, isAnswered = true): StoryEntry => ({
  ...{ is: 'pull', at: at(minute), pull: minute, page: 1, pages: 1 },
  isAnswered,
})
const send = (id: number) => ({ id, kind: 'event' as const, metric: 'Placed Order' })
const attempt = (id: number, meant: 'delivered' | 'later', minute: number): StoryEntry => ({
  ...{ is: 'attempt', at: at(minute), send: send(id), canResend: false },
  attempt: { at: at(minute), meant, ms: 10 },
})
const accepted = (id: number, minute: number): StoryEntry => ({
  ...{ is: 'accepted', at: at(minute), send: send(id) },
})

it('shows a send that arrived once, and one that did not with all that happened to it', () => {
  const arrived = attempt(1, 'delivered', 3)
  const [failed, waiting] = [attempt(2, 'later', 2), accepted(2, 1)]
  expect(storyLines([arrived, accepted(1, 2), failed, waiting])).toEqual([
    { entry: arrived },
    { entry: failed },
    { entry: waiting },
  ])
})

it('shows pulls in turn as one, with how many there were since when', () => {
  const status: StoryEntry = { is: 'status', at: at(4), status: 'shipped' }
  const unanswered = pull(1, false)
  expect(storyLines([pull(7), pull(6), pull(5), status, pull(3), unanswered])).toEqual([
    { entry: pull(7), pulls: { count: 3, since: at(5) } },
    { entry: status },
    { entry: pull(3) },
    { entry: unanswered },
  ])
})
