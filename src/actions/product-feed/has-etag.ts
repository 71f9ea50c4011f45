/** Whether an `If-None-Match` header names what there is; weak or strong is the same here. */
export const hasEtag = (header: string | null, etag: string): boolean =>
  header !== null &&
  header.split(',').some((text) => {
    const named = text.trim()
    return named === '*' || named.replace(/^W\//, '') === etag
  })
