/**
 * The cursor in the link to the next page; undefined when there is no such page. Only the cursor is
 * used: no address that an answer names is called.
 */
export const nextCursor = (next: string | null | undefined): string | undefined =>
  (typeof next === 'string' && URL.canParse(next)
    ? new URL(next).searchParams.get('page[cursor]')
    : undefined) ?? undefined
