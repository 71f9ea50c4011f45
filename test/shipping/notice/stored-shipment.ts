import type { BasePayload } from 'payload'
import { expect, onTestFinished } from 'vitest'
import { apiOf } from '../../support/api-of.js'
import type { CapturedLog, LogLine } from '../../support/captured-log.js'
import { noticeRequest } from '../../support/shipping-requests.js'
import { openStore, type TestStore } from '../../support/store.js'
import type { DatabaseKind, StoreSetup } from '../../support/store-config.js'

type Document = Record<string, unknown>

/** The parameters of a notice, and the entry that it makes. */
export const parcel = { carrier: 'UPS', service: 'Ground', tracking_number: '1Z999AA1' }
export const entry = { carrier: 'UPS', service: 'Ground', trackingNumber: '1Z999AA1' }

export interface StoredNotice {
  order: number
  reference: string | null
  carrier: string | null
  service: string | null
  trackingNumber: string | null
  shipDate: string | null
  shippingCost: string | null
  statusBefore: string | null
  statusAfter: string | null
  itemsLeft: number | null
  repeats: number | null
  lines: { lineItemId?: string; sku: string; name: string; quantity: number }[]
}

/** A store for one test alone. */
export async function openStoreForTest(
  kind: DatabaseKind,
  setup?: Omit<StoreSetup, 'kind' | 'url'>,
): Promise<TestStore> {
  const store = await openStore(kind, setup)
  onTestFinished(() => store.close())
  return store
}

/** Sends a notice and expects it to be accepted. */
export async function notify(
  store: TestStore,
  parameters: Record<string, string>,
  init?: RequestInit,
): Promise<void> {
  const response = await store.handle(noticeRequest(parameters, init))
  expect(response.status, await response.clone().text()).toBe(200)
}

/** Asks for orders as the admin's form does, and expects to be allowed. */
export function adminOf(store: TestStore) {
  const api = apiOf(store)
  return async (method: string, query: string, body?: Document): Promise<Document> => {
    const response = await api(`/orders${query}`, { as: 'admin', method, body })
    expect(response.status, await response.clone().text()).toBe(200)
    return (await response.json()) as Document
  }
}

/** An order as Payload returns it at depth 0. */
export async function readOrder(payload: BasePayload, id: number | string): Promise<Document> {
  const order = await payload.findByID({ collection: 'orders', id, depth: 0 })
  return order
}

/** The tracking entries of an order, without the ids of their rows. */
export async function readEntries(
  payload: BasePayload,
  id: number | string,
  field = 'tracking',
): Promise<Document[]> {
  const rows = (await readOrder(payload, id))[field] as Document[] | undefined
  return (rows ?? []).map((row) => withoutIds(row))
}

/** The history of an order, oldest first. */
export async function readHistory(
  payload: BasePayload,
  id: number | string,
): Promise<StoredNotice[]> {
  const { docs } = await payload.find({
    collection: 'shipping-notices',
    where: { order: { equals: id } },
    sort: 'id',
    depth: 0,
    pagination: false,
  })
  return (docs as unknown as (StoredNotice & { lines: Document[] })[]).map((notice) => ({
    ...notice,
    lines: notice.lines.map(({ lineItemId, ...line }) => ({
      ...withoutIds(line),
      ...(lineItemId !== null && { lineItemId }),
    })) as unknown as StoredNotice['lines'],
  }))
}

/** Everything a shipment writes, to compare before and after. */
export async function readShipment(payload: BasePayload, id: number | string) {
  const { status, updatedAt } = await readOrder(payload, id)
  return {
    status,
    updatedAt,
    entries: await readEntries(payload, id),
    history: await readHistory(payload, id),
  }
}

function withoutIds(row: Document): Document {
  const names = Object.keys(row).filter((name) => name !== 'id' && name !== 'blockName')
  return Object.fromEntries(names.map((name) => [name, row[name]]))
}

export const errorLines = (log: CapturedLog): LogLine[] =>
  log.lines().filter(({ level }) => level >= 50)
