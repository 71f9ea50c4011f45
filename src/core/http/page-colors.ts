import * as z from 'zod/mini'

/** The colours of a page, each as `#rrggbb`. */
export interface Palette {
  /** Texts. */
  ink: string
  /** The shop's name, and what matters less. */
  quiet: string
  /** Behind the card. */
  paper: string
  /** Behind the texts. */
  card: string
  /** Around the card. */
  line: string
  /** Behind the text of the button. */
  accent: string
  /** The text of the button. */
  onAccent: string
}

/** What is left out is Storeconnect's own. */
export interface PageColors {
  light?: Partial<Palette>
  /** For who prefers dark pages. */
  dark?: Partial<Palette>
}

const own: Record<keyof PageColors, Palette> = {
  light: {
    ink: '#1c1b1f',
    quiet: '#5c5a63',
    paper: '#f6f5f2',
    card: '#ffffff',
    line: '#dedbd3',
    accent: '#1f4f46',
    onAccent: '#ffffff',
  },
  dark: {
    ink: '#f1efea',
    quiet: '#b3afa6',
    paper: '#17171a',
    card: '#212125',
    line: '#3a393f',
    accent: '#9fd8c8',
    onAccent: '#0c241e',
  },
}

export const paletteOf = (colors: PageColors | undefined, scheme: keyof PageColors): Palette => ({
  ...own[scheme],
  ...colors?.[scheme],
})

const leastContrast = 4.5

const readTogether = [
  ['ink', 'card'],
  ['quiet', 'card'],
  ['onAccent', 'accent'],
] as const

const color = z
  .string()
  .check(z.regex(/^#[\da-f]{6}$/i, { error: 'must be a colour such as #1f4f46' }))

const schemeSchema = (scheme: keyof PageColors) =>
  z
    .partial(
      z.strictObject({
        ink: color,
        quiet: color,
        paper: color,
        card: color,
        line: color,
        accent: color,
        onAccent: color,
      }),
    )
    .check((given) => {
      const palette = paletteOf({ [scheme]: given.value }, scheme)
      for (const [text, behind] of readTogether) {
        const contrast = contrastOf(palette[text], palette[behind])
        if (contrast >= leastContrast) continue
        const message = `${text} on ${behind} has a contrast of ${contrast.toFixed(1)}, and people need ${leastContrast}`
        given.issues.push({ code: 'custom', input: given.value, path: [text], message })
      }
    })

export const pageColorsSchema = z.strictObject({
  light: z.optional(schemeSchema('light')),
  dark: z.optional(schemeSchema('dark')),
})

/** How much lighter one colour is than the other, from 1 to 21 (WCAG 2.2). */
function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
