import { escapeHtml } from '../../http/escape-html.js'
import { htmlPage, ownPagePolicy, pagePolicy } from '../../http/html-page.js'
import { secretLinkHeaders } from '../../http/reply.js'
import type { RenderRestorePage, RestorePage } from '../../options/options.js'

/**
 * The answer with one of the two pages, or with what the store has in its place. Forms may lead to
 * the origins in `formTargets` beside the page's own: browsers judge the redirects after a post too.
 */
export async function restorePageReply(
  page: RestorePage,
  {
    render,
    formTargets,
  }: { render: RenderRestorePage | undefined; formTargets: readonly string[] },
): Promise<Response> {
  const own = await render?.(page)
  const headers = {
    ...secretLinkHeaders,
    // With no referrer at all, some browsers' posts do not say that they are from our own page.
    ...(page.form.method === 'post' && { 'referrer-policy': 'same-origin' }),
  }
  if (own instanceof Response) return withHeaders(own, headers)
  const targets = ["'self'", ...formTargets]
  return new Response(own ?? restorePageHtml(page), {
    headers: {
      ...headers,
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': own === undefined ? pagePolicy(targets) : ownPagePolicy(targets),
    },
  })
}

/** Headers that the store's own answer says nothing about. Nobody may keep it, whatever it says. */
function withHeaders(own: Response, headers: Record<string, string>): Response {
  const response = new Response(own.body, own)
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'cache-control' || !response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}

/** Log Out to Continue, or Log In: plain HTML that needs no JavaScript. */
function restorePageHtml(page: RestorePage): string {
  const { site, language, heading, explanation } = page
  return htmlPage({
    language,
    title: heading,
    brand: site?.name,
    body: `<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(explanation)}</p>
${buttonHtml(page)}`,
  })
}

/** A page is opened by a link, which keeps the query that a form would drop. */
function buttonHtml({ button, form }: RestorePage): string {
  const action = escapeHtml(form.action)
  const text = escapeHtml(button)
  if (form.method === 'get') return `<p><a class="button" href="${action}">${text}</a></p>`
  const fields = form.fields.map(
    ({ name, value }) =>
      `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return `<form method="post" action="${action}">
${fields.join('\n')}
<button class="button" type="submit">${text}</button>
</form>`
}
