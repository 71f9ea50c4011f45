import type { DocumentId } from '../commerce/order.js'

/** Which orders an export is about. */
export interface OrderSelection {
  /** Exclusive bounds of `updatedAt`. Undefined: orders of all times. */
  window: { after: Date; before: Date } | undefined
  /**
   * The window in the words of the request, by which the later pages of a pull are known: `now` is
   * another moment with each of them. Undefined: the bounds themselves.
   */
  askedWindow?: readonly string[] | undefined
  /** Only orders whose dropdown field has this value. Undefined: orders of every store. */
  store: { field: string; value: string } | undefined
  pageSize: number
}

/** One slice of the ordered list of ids that page 1 fixed. */
export interface ListedPage {
  /** How many pages the list has; 0 when it is empty. */
  pages: number
  ids: DocumentId[]
}

/**
 * The ordered list of ids behind a pull. Page 1 fixes it, in the database; later pages are its
 * slices, so that orders which change between two pages are neither lost nor doubled
 * (`docs/decisions/0002-fixed-export-lists.md`).
 */
export interface OrderList {
  page(selection: OrderSelection, page: number): Promise<ListedPage>
}
