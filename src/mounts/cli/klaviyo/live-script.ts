/** How a page looks for news, and what its `#watching` says. */
interface Live {
  /** From one look to the next. */
  seconds: number
  isWatching: string
  /** When the page's server does not answer. */
  isOver: string
}

/**
 * The script of a page at `/`: it shows what is new in the page's `#live`. It leaves that alone while somebody reads a
 * part that is open to the keyboard or selected.
 */
export const liveScript = ({ seconds, isWatching, isOver }: Live): string => `
const live = document.getElementById('live')
const notice = document.getElementById('watching')
async function refresh() {
  if (document.hidden || live.contains(document.activeElement)) return
  const selection = getSelection()
  if (!selection.isCollapsed && selection.containsNode(live, true)) return
  const answer = await fetch('/')
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live')
  if (fresh.innerHTML === live.dataset.shown) return
  live.dataset.shown = fresh.innerHTML
  const open = new Set([...live.querySelectorAll('details[open]')].map(({ id }) => id))
  live.replaceChildren(...fresh.childNodes)
  for (const details of live.querySelectorAll('details')) details.open = open.has(details.id)
}
async function watch() {
  for (;;) {
    try {
      await refresh()
      notice.textContent = ${JSON.stringify(isWatching)}
    } catch {
      notice.textContent = ${JSON.stringify(isOver)}
    }
    await new Promise((resolve) => setTimeout(resolve, ${seconds * 1000}))
  }
}
void watch()
`
