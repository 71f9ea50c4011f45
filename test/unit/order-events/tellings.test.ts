import type { PayloadRequest } from 'payload'
import { describe, expect, it } from 'vitest'
import type { Log } from '../../../src/store/log.js'
import { createTellings } from '../../../src/store/payload/order-events/tellings.js'

const transaction = { transactionID: 'one' } as PayloadRequest
const none = {} as PayloadRequest

function openTellings() {
  const errors: unknown[] = []
  const log = { error: (about: unknown) => void errors.push(about) } as unknown as Log
  const tellings = createTellings(log)
  const told: string[] = []
  const take = (name: string, req: PayloadRequest, problem?: Error) =>
    tellings.take(
      (within) => {
        if (problem) return Promise.reject(problem)
        told.push(within === undefined ? name : `${name} within`)
        return Promise.resolve()
      },
      { req, about: { name } },
    )
  return { tellings, take, told, errors }
}

describe('A change', () => {
  it('is told within its transaction, before the save goes on', async () => {
    const { take, told } = openTellings()
    await take('a', transaction)
    expect(told).toEqual(['a within'])
  })

  it('takes its save down with it when it cannot be told within the transaction', async () => {
    const { take, errors } = openTellings()
    await expect(take('a', transaction, new Error('No space'))).rejects.toThrow('No space')
    expect(errors).toEqual([])
  })

  it('is told after the save without a transaction, one after the other', async () => {
    const { tellings, take, told } = openTellings()
    for (const name of ['a', 'b', 'c']) await take(name, none)
    expect(told).toEqual([])
    await tellings.over()
    expect(told).toEqual(['a', 'b', 'c'])
  })

  it('that cannot be told then is logged, and keeps nobody up', async () => {
    const { tellings, take, told, errors } = openTellings()
    const problem = new Error('No space')
    await take('a', none, problem)
    await take('b', none)
    await tellings.over()
    expect(told).toEqual(['b'])
    expect(errors).toEqual([{ err: problem, name: 'a' }])
  })
})
