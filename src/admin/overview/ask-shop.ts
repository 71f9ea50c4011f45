/** What the shop answered, or why it did not; undefined when not even that is known. */
export type ShopAnswer<Body> = { body: Body } | { problem: string | undefined }

/** Asks the shop as the one who is logged in: a `GET`, or a `POST` where there is something to post. */
export async function askShop<Body>(url: string, posted?: object): Promise<ShopAnswer<Body>> {
  try {
    const response = await fetch(url, {
      credentials: 'include',
      ...(posted && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(posted),
      }),
    })
    const body: unknown = await response.json()
    return response.ok ? { body: body as Body } : { problem: messageOf(body) }
  } catch {
    // Whatever it was, the shop's log has it; who asked is told that there is no answer.
    return { problem: undefined }
  }
}

const messageOf = (body: unknown): string | undefined =>
  (body as { errors?: { message?: string }[] } | null)?.errors?.[0]?.message
