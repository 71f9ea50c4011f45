import { describe, expect, it } from 'vitest'
import { anOrder } from '../support/orders.js'
import { sharedStore } from '../support/shared-store.js'

/** What Payload throws for a field, of another copy of it in the same process. */
class ForeignValidationError extends Error {
  override readonly name = 'ValidationError'
  readonly status = 400
  readonly isPublic = true
  readonly data: object

  constructor(errors: object[]) {
    super('The following field is invalid: Tax')
    this.data = { collection: 'orders', errors }
  }
}

describe('Where a build holds two copies of Payload', () => {
  let thrown: Error
  const store = sharedStore('sqlite', {
    orderHooks: {
      beforeOperation: [
        ({ operation }) => {
          if (operation === 'create') throw thrown
        },
      ],
    },
  })

  const post = async () => {
    const request = new Request('https://shop.example/api/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(anOrder()),
    })
    const answer = await store.api(request)
    return { status: answer.status, body: (await answer.json()) as unknown }
  }

  it('a form still reads beside the field why it is refused', async () => {
    const errors = [{ label: 'Tax', message: 'This is not an amount.', path: 'taxAmount' }]
    thrown = new ForeignValidationError(errors)
    expect(await post()).toMatchObject({
      status: 400,
      body: { errors: [{ name: 'ValidationError', data: { errors } }] },
    })
  })

  it('nothing is said about another error', async () => {
    thrown = Object.assign(new Error('a secret'), { data: { errors: [{ path: 'x' }] } })
    expect(await post()).toMatchObject({
      status: 500,
      body: { errors: [{ message: 'Something went wrong.' }] },
    })
  })
})
