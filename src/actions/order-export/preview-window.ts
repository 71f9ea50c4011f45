import type { DocumentId } from '../../commerce/order.js'
import type { ParameterTree } from '../../http/parameters.js'
import type { OrderLook } from '../../store/order-look.js'
import type { OrderReader } from '../../store/order-reader.js'
import type { SettingsSource } from '../../store/settings-source.js'
import { judgeOrder, type JudgeParts } from './judge-order.js'
import { selectOrders, type SelectionParts } from './select-orders.js'

export interface WindowPreview {
  /** Exclusive bounds. Undefined: one of the dates is missing or cannot be read, so all times match. */
  window: { after: Date; before: Date } | undefined
  /** In which dates without an offset were read. */
  timezone: string
  /** Undefined: orders of every store. */
  store: string | undefined
  total: number
  pages: number
  /** The first ones, in the export's order. */
  orders: MatchedOrder[]
}

export interface MatchedOrder {
  id: DocumentId
  reference: string
  updatedAt: Date
  /** Why the export leaves it out; empty for an order that it has. */
  reasons: string[]
}

/**
 * Shows which orders an export with these parameters would match. Fixes no list and notes nothing.
 *
 * @throws {Problem} SETTING_BLANK as the export does.
 */
export type PreviewWindow = (tree: ParameterTree) => Promise<WindowPreview>

export interface WindowPreviewParts extends JudgeParts, SelectionParts {
  look: OrderLook
  reader: OrderReader
  settings: SettingsSource
}

/** Enough to recognise them by. */
const shownAtMost = 10

export function createWindowPreview(parts: WindowPreviewParts): PreviewWindow {
  return async (tree) => {
    const settings = await parts.settings.shipping()
    const { selection, timezone } = selectOrders(tree, settings, parts)
    const { total, ids } = await parts.look.matches(selection, shownAtMost)
    const orders: MatchedOrder[] = []
    for (const order of await parts.reader.read(ids)) {
      const { id, reference, updatedAt } = order
      const verdict = await judgeOrder(order, parts)
      const reasons = verdict.order === undefined ? verdict.reasons : []
      orders.push({ id, reference, updatedAt, reasons })
    }
    return {
      window: selection.window,
      timezone,
      store: selection.store?.value,
      total,
      pages: Math.ceil(total / selection.pageSize),
      orders,
    }
  }
}
