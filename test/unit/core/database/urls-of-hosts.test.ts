import { expect, it } from 'vitest'
import { urlsOf } from '../../../../src/plugin/postgres-connections.js'

it.each([
  [
    'postgres://shop:a%2Cb@db1:5432,db2:5433/shop?sslmode=require',
    [
      'postgres://shop:a%2Cb@db1:5432/shop?sslmode=require',
      'postgres://shop:a%2Cb@db2:5433/shop?sslmode=require',
    ],
  ],
  [
    'postgresql://[::1]:5432,[::2]/shop',
    ['postgresql://[::1]:5432/shop', 'postgresql://[::2]/shop'],
  ],
  ['postgres://shop@db1/shop', ['postgres://shop@db1/shop']],
])('%s has a URL for each host', (connectionString, urls) => {
  expect(urlsOf(connectionString)).toEqual(urls)
})
