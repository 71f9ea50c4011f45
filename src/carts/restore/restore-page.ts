import { Problem, problemText } from '../../core/errors.js'
import {
  escapeHtml,
  htmlPage,
  ownPagePolicy,
  pagePolicy,
  hiddenInput,
} from '../../core/http/html-page.js'
import { languageHeaders, secretLinkHeaders } from '../../core/http/reply.js'
import { siteUrl, type Site } from '../../shop/sites/site.js'
import type { PageColors } from '../../core/http/page-colors.js'
import type { PageTexts } from '../../core/translations/page-texts.js'
import type { RenderRestorePage, RestorePage } from '../restore-options.js'

/**
 * Answers with a page, or with the store's own page in its place. A form on it may lead to its own origin
 * and to those in `formTargets`: browsers apply `form-action` also to the redirects after a post.
 */
export async function restorePageReply(
  page: RestorePage,
  {
    render,
    formTargets,
    colors,
    texts,
  }: {
    render: RenderRestorePage | undefined
    formTargets: readonly string[]
    colors: PageColors | undefined
    texts: PageTexts
  },
): Promise<Response> {
  const own = await render?.(page)
  const headers = {
    ...secretLinkHeaders,
    ...languageHeaders(texts),
    // Without any referrer, some browsers do not say that the post comes from our own page.
    ...(page.form.method === 'post' && { 'referrer-policy': 'same-origin' }),
  }
  if (own instanceof Response) return withHeaders(own, headers)
  const targets = ["'self'", ...formTargets]
  return new Response(own ?? restorePageHtml(page, colors), {
    headers: {
      ...headers,
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy':
        own === undefined ? pagePolicy(targets, colors) : ownPagePolicy(targets),
    },
  })
}

/** Adds the headers that the store's own answer does not set. `cache-control` is always ours. */
function withHeaders(own: Response, headers: Record<string, string>): Response {
  const response = new Response(own.body, own)
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'cache-control' || !response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}

function restorePageHtml(page: RestorePage, colors: PageColors | undefined): string {
  const { site, language, heading, explanation, stay } = page
  return htmlPage({
    language,
    title: heading,
    brand: site?.name,
    colors,
    body: `<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(explanation)}</p>
${buttonHtml(page)}${stay ? `\n<p class="stay"><a href="${escapeHtml(stay.url)}">${escapeHtml(stay.text)}</a></p>` : ''}`,
  })
}

/** A GET uses a link, because a form would drop the query of its action. */
function buttonHtml({ button, form }: RestorePage): string {
  const action = escapeHtml(form.action)
  const text = escapeHtml(button)
  if (form.method === 'get') return `<p><a class="button" href="${action}">${text}</a></p>`
  return `<form method="post" action="${action}">
${form.fields.map(hiddenInput).join('\n')}
<button class="button" type="submit">${text}</button>
</form>`
}

/** Adds a page for people to a refusal, in the language of the current site. */
export function withPage(refusal: Problem, site: Site | undefined, texts: PageTexts): Problem {
  const { code } = refusal
  const message = texts.refusal(problemText(code))
  if (message === undefined) return refusal
  const url = site && siteUrl(site.baseUrl, '/')
  const page = {
    language: texts.language,
    isOfBrowser: texts.isOfBrowser,
    message,
    brand: site?.name ?? '',
    link: url === undefined ? undefined : { text: texts.toShop, url },
  }
  return new Problem(code, { page, cause: refusal })
}
