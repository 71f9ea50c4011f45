import { expect, it } from 'vitest'
import { signature } from '../../../../src/merchant/alerts/send-message.js'

// The example of https://github.com/standard-webhooks/standard-webhooks.
const example = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: '{"test": 2432232314}',
}

it('signs as Standard Webhooks do', () => {
  expect(signature('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', example)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

it('takes a secret of another form as it is', () => {
  expect(signature('a secret', example)).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  expect(signature('a secret', example)).not.toBe(signature('another secret', example))
})
