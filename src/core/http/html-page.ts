import { createHash } from 'node:crypto'
import { paletteOf, type PageColors, type Palette } from './page-colors.js'

const styleOf = (colors: PageColors | undefined) => `
:root { color-scheme: light dark; ${variables(paletteOf(colors, 'light'))} }
@media (prefers-color-scheme: dark) { :root { ${variables(paletteOf(colors, 'dark'))} } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; align-content: start; justify-items: center; padding: 12vh 1rem 3rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
main { width: 100%; max-width: 30rem; padding: 2rem clamp(1.25rem, 6vw, 2.5rem) 2.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; overflow-wrap: anywhere }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0 0 1.5rem }
p:last-child { margin-bottom: 0 }
.brand { margin-bottom: .5rem; color: var(--quiet); font-weight: 600 }
.stay { margin-top: 1.25rem }
.stay a { color: var(--ink) }
.quiet { color: var(--quiet); font-size: .875rem }
.button { display: inline-block; min-height: 2.75rem; padding: .65rem 1.4rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--onAccent); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
.button:hover { filter: brightness(1.12) }
.button:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px }
@media (max-width: 30rem) { body { padding-top: 2rem } .button { width: 100% } }
`

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, color]) => `--${name}: ${color}`)
    .join('; ')

/** Makes a small, complete page without scripts. `body` must be HTML. */
export const htmlPage = ({
  language,
  title,
  brand = '',
  colors,
  body,
}: {
  /** A BCP 47 language tag. */
  language: string
  title: string
  /** The shop's name; blank for none. */
  brand?: string | undefined
  /** Those of the shop; undefined for ours. */
  colors?: PageColors | undefined
  body: string
}): string => `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(brand === '' ? title : `${title} · ${brand}`)}</title>
<style>${styleOf(colors)}</style>
</head>
<body>
<main dir="auto">
${brand === '' ? '' : `<p class="brand">${escapeHtml(brand)}</p>\n`}${body}
</main>
</body>
</html>
`

/** The content security policy of a page: it allows only our own style, and forms to these targets. */
export function pagePolicy(
  formTargets: readonly string[] = ["'none'"],
  colors?: PageColors,
): string {
  const hash = createHash('sha256').update(styleOf(colors)).digest('base64')
  return policy(`'sha256-${hash}'`, formTargets)
}

/** For a page of the store's own: styles and pictures, but no scripts. A Response may have its own policy. */
export const ownPagePolicy = (formTargets: readonly string[]): string =>
  `${policy("'self' 'unsafe-inline'", formTargets)}; img-src 'self' data:; font-src 'self'`

const policy = (styles: string, formTargets: readonly string[]) =>
  [
    "default-src 'none'",
    `style-src ${styles}`,
    `form-action ${formTargets.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for an element or for an attribute in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => escapes[character] ?? '')

/** A field of a form that the visitor does not see. */
export interface HiddenField {
  name: string
  value: string
}

export const hiddenInput = ({ name, value }: HiddenField): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
