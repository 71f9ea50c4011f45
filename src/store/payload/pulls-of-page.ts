/** How far the pull that began a list has read. A pull asks for a page, for it again, or for the next. */
export interface Pull {
  list: string
  pages: number
  /** It has this page. Beyond the last page: it is over. */
  certainPage: number
  /** It may have the pages up to this one. */
  highestPage: number
}

/**
 * Whose request for a page this may be. Nothing in a request tells the pulls of one window apart but
 * the page: it is of a pull that has the page before it, or had this one last. Where several are left,
 * whoever asks gets what each of them would have got, so that no order is lost.
 */
export function pullsOfPage<Any extends Pull>(open: readonly Any[], page: number): Any[] {
  const possible = open.filter(
    ({ certainPage, highestPage }) => certainPage <= page && page <= highestPage + 1,
  )
  return possible.length > 0 ? possible : [...open]
}

/** The page that a pull certainly has, once this page is read by it or by one of several others. */
export function certainAfter(
  { certainPage, pages }: Pull,
  page: number,
  { open, possible }: { open: number; possible: number },
): number {
  if (possible > 1) return Math.min(certainPage, page)
  // With another pull under way, the last page may be asked for again between its pages.
  return page >= pages && open === 1 ? pages + 1 : page
}
