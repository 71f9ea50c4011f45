import { randomUUID } from 'node:crypto'
import { getPayload, type BasePayload } from 'payload'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handlerOf } from '../../../src/core/installation.js'
import { wholePartsOf } from '../../support/parts.js'
import type { StoreConnectOptions } from '../../../src/plugin/options.js'
import { closeInstance } from '../../support/close-instance.js'
import { emptyDatabase, type OwnDatabase } from '../../support/own-database.js'
import { relatedConfig } from './related-config.js'
import { pushSchema } from '../../support/push-schema.js'
import { itOnceOn } from '../../support/it-once.js'
import { databaseKinds } from '../../support/store.js'

const idTypes = { sqlite: 'number', postgres: 'uuid' } as const

describe.each(databaseKinds.map((kind) => [kind, idTypes[kind]] as const))(
  'What a product points to, in the feed (%s, ids: %s)',
  (kind, idType) => {
    let database: OwnDatabase
    let writer: BasePayload
    let product: string

    const open = async (productFields: StoreConnectOptions['productFields']) => {
      const config = await relatedConfig({ kind, url: database.url, idType, ...{ productFields } })
      return getPayload({ config, key: randomUUID() })
    }

    beforeAll(async () => {
      database = await emptyDatabase(kind)
      await pushSchema(await relatedConfig({ kind, url: database.url, idType }))
      writer = await open({})
      const create = async (collection: string, data: Record<string, unknown>) =>
        (await writer.create({ collection, data })).id
      const upload = async (collection: string) => {
        const file = { name: 'tea.png', mimetype: 'image/png', size: pixel.length, data: pixel }
        return (await writer.create({ collection, data: {}, file })).id
      }
      const openPicture = await upload('open-pictures')
      const openCategory = await create('open-categories', { title: 'Tea', cover: openPicture })
      product = String(
        await create('products', {
          title: 'Green tea',
          _status: 'published',
          closedPicture: await upload('closed-pictures'),
          openPicture,
          gallery: [{ open: openPicture, closed: await upload('closed-pictures') }],
          closedCategories: [await create('closed-categories', { title: 'Secret' })],
          openCategories: [openCategory],
          shelf: { of: openCategory },
        }),
      )
    }, 60_000)
    afterAll(async () => {
      await closeInstance(writer)
      await database.remove()
    })

    const feedOf = async (
      productFields: StoreConnectOptions['productFields'],
    ): Promise<unknown> => {
      const payload = await open(productFields)
      const url = 'https://shop.example/actions/marketingconnect/catalog/products'
      const response = await handlerOf(payload)(new Request(url))
      const items: unknown = await response.json()
      await closeInstance(payload)
      return items
    }

    // The rest says nothing about the database.
    const itOnce = itOnceOn(kind)

    it('is sent where guests may read it', async () => {
      const fields = { image: 'openPicture', categories: 'openCategories' }
      expect(await feedOf(fields)).toMatchObject([
        {
          id: product,
          image_link: 'https://shop.example/api/open-pictures/file/tea.png',
          categories: ['Tea'],
        },
      ])
    })

    itOnce(
      'is sent for the first picture of a gallery, and an id is no category, URL or text',
      async () => {
        const all = { image: 'gallery.0.open', categories: 'closedCategories' }
        const [item] = (await feedOf(all)) as Record<string, unknown>[]
        expect(item).toMatchObject({
          id: product,
          image_link: 'https://shop.example/api/open-pictures/file/tea.png',
          categories: [],
          description: 'Green tea',
        })
        for (const name of ['sku', 'description']) {
          await expect(feedOf({ [name]: 'closedPicture' })).rejects.toThrow(
            `productFields.${name} is "closedPicture" of "products", which is a field of type upload`,
          )
        }
        expect(await feedOf({ image: 'shelf.of.cover' })).toMatchObject([
          { image_link: 'https://shop.example/api/open-pictures/file/tea.png' },
        ])
        for (const image of ['closedPicture', 'gallery.0.closed']) {
          expect([image, await feedOf({ image, categories: 'openCategories' })]).toEqual([
            image,
            [],
          ])
        }
      },
    )

    itOnce('is named to the merchant where products have no field for it', async () => {
      const missingWith = async (productFields: StoreConnectOptions['productFields']) => {
        const payload = await open(productFields)
        const { missingProductFields } = (await wholePartsOf(payload)).overview
        await closeInstance(payload)
        return missingProductFields
      }
      const [sku, weight] = [
        { part: 'sku', path: 'sku' },
        { part: 'weight', path: 'weight' },
      ]
      expect(await missingWith({})).toEqual([sku, weight, { part: 'imageUrl', path: 'image' }])
      expect(await missingWith({ image: 'gallery.0.open' })).toEqual([sku, weight])
      expect(await missingWith({ image: 'shelf.of.cover', sku: 'title' })).toEqual([weight])
    })
  },
)

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
