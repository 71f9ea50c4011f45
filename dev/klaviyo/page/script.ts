/** Looks for news every two seconds, and leaves the page alone while somebody is busy in it. */
export const SCRIPT = `
const live = document.getElementById('live')
const openDetails = () => new Set([...live.querySelectorAll('details[open]')].map(({ id }) => id))

async function refresh() {
  if (document.hidden || live.contains(document.activeElement)) return
  const selection = getSelection()
  if (selection && !selection.isCollapsed && live.contains(selection.anchorNode)) return
  const response = await fetch('/?still')
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('live')
  if (fresh.innerHTML === live.dataset.shown) return
  const open = openDetails()
  live.dataset.shown = fresh.innerHTML
  live.replaceChildren(...fresh.childNodes)
  for (const details of live.querySelectorAll('details')) details.open = open.has(details.id)
}

async function watch() {
  const notice = document.getElementById('watching')
  for (;;) {
    try {
      await refresh()
      notice.textContent = 'Shows news as they come in.'
    } catch {
      notice.textContent = 'The stand-in does not answer: this is what was last known.'
    }
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
}

if (live.dataset.still !== 'yes') void watch()
`
