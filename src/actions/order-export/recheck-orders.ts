import type { DocumentId } from '../../commerce/order.js'
import type { Omission } from '../../store/omission-record.js'
import type { ExportParts } from './export-orders.js'
import { judgeOrder, omissionOf } from './judge-order.js'

/** So that the merchant's page opens fast; the rest has its turn when it is opened next. */
const recheckedAtOnce = 25

/** Looks again at skipped orders that were changed since, so that a mended one is not shown any more. */
export function createRecheck(parts: Omit<ExportParts, 'list'>): () => Promise<void> {
  const { omissions, reader } = parts
  return async () => {
    const ids = await omissions.changedSince(recheckedAtOnce)
    if (ids.length === 0) return
    const passed: DocumentId[] = []
    const omitted: Omission[] = []
    for (const order of await reader.read(ids)) {
      const verdict = await judgeOrder(order, parts)
      if (verdict.order) passed.push(order.id)
      else omitted.push(omissionOf(order, verdict))
    }
    await omissions.update({ passed, omitted })
  }
}
