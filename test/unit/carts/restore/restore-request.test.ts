import { expect, it } from 'vitest'
import { readRestoreRequest, withCampaign } from '../../../../src/carts/restore/restore-request.js'

const number = '0123456789abcdef0123456789abcdef'

it('a restore link keeps ten parameters of a campaign, of 200 characters each', () => {
  const names = Array.from({ length: 12 }, (_, index) => `utm_x${index}`)
  const { campaign } = readRestoreRequest({
    number,
    utm_long: 'x'.repeat(201),
    utm_list: ['a'],
    utm_blank: '',
    utm_most: 'x'.repeat(200),
    ...Object.fromEntries(names.map((name) => [name, '1'])),
  })
  expect(campaign.map(([name]) => name)).toEqual(['utm_most', ...names.slice(0, 9)])
})

it('withCampaign adds to the query of a URL, before its hash, and nothing when there is none', () => {
  const url = 'https://shop.example/cart?a=%20#b'
  expect(withCampaign(url, { campaign: [] })).toBe(url)
  const campaign = [['utm_source', 'mail & more']] as const
  expect(withCampaign('https://shop.example/cart?a=1#b', { campaign })).toBe(
    'https://shop.example/cart?a=1&utm_source=mail+%26+more#b',
  )
})
