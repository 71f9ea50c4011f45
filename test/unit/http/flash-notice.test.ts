import { describe, expect, it } from 'vitest'
import { realEffects } from '../../../src/effects.js'
import { addNotice, createSessions } from '../../../src/http/session.js'

const newSession = () =>
  createSessions({ secret: 'a secret of the store', effects: realEffects }).open({
    url: 'https://shop.example/',
    headers: new Headers(),
  })

describe('addNotice', () => {
  it('adds notices in their order', async () => {
    const session = await newSession()
    addNotice(session, 'One.')
    addNotice(session, 'Two.', 'error')
    expect(session.data.flash).toEqual([
      { kind: 'notice', text: 'One.' },
      { kind: 'error', text: 'Two.' },
    ])
  })

  it('shows once what is added twice', async () => {
    const session = await newSession()
    for (const text of ['One.', 'Two.', 'One.']) addNotice(session, text)
    expect(session.data.flash?.map(({ text }) => text)).toEqual(['One.', 'Two.'])
    addNotice(session, 'One.', 'error')
    expect(session.data.flash).toHaveLength(3)
  })
})
