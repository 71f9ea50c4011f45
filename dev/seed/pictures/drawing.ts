/** Draws one picture, as the text of an SVG file. */
export type Drawing = () => string

export const pictureSize = 480

/** A square picture: a soft backdrop, a table to stand on, and the shapes on top of it. */
export function picture(options: { light: string; deep: string; table: string; shapes: string[] }) {
  const { deep, light, shapes, table } = options
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pictureSize} ${pictureSize}" width="${pictureSize}" height="${pictureSize}">`,
    '<defs>',
    `<radialGradient id="backdrop" cx="0.5" cy="0.4" r="0.8"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${deep}"/></radialGradient>`,
    '<linearGradient id="shine" x1="0" x2="1"><stop offset="0" stop-color="#fff" stop-opacity="0.28"/><stop offset="0.45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.22"/></linearGradient>',
    '</defs>',
    '<rect width="480" height="480" fill="url(#backdrop)"/>',
    `<path d="M0 372h480v108H0z" fill="${table}"/>`,
    '<path d="M0 372h480v4H0z" fill="#000" opacity="0.07"/>',
    ...shapes,
    '</svg>',
  ].join('\n')
}

export type Point = [x: number, y: number]

type Attributes = Record<string, number | string>

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')

export const fill = (d: string, colour: string, more: Attributes = {}): string =>
  `<path d="${d}" fill="${colour}"${attributesOf(more)}/>`

export const line = (
  d: string,
  [colour, width]: [colour: string, width: number],
  more: Attributes = {},
): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${attributesOf(more)}/>`

export const ellipse = ([x, y]: Point, [rx, ry]: [number, number], colour: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${colour}"/>`

export const circle = (at: Point, radius: number, colour: string): string =>
  ellipse(at, [radius, radius], colour)

export const box = (
  [x, y, width, height]: [x: number, y: number, width: number, height: number],
  colour: string,
  radius = 0,
): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${colour}"/>`

/** The same shape lit from the left: put it on top of what it follows. */
export const shine = (d: string): string => fill(d, 'url(#shine)')

export const shadow = (x: number, y: number, width: number): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${Math.round(width / 9)}" fill="#000" opacity="0.16"/>`

export const turned = (degrees: number, [x, y]: Point, shapes: string[]): string =>
  `<g transform="rotate(${degrees} ${x} ${y})">${shapes.join('')}</g>`

/** Rising steam, as three wavering lines. */
export const steam = (x: number, y: number): string[] =>
  [-26, 0, 26].map((shift, index) => {
    const from = x + shift
    const height = index === 1 ? 84 : 62
    return line(`M${from} ${y}c-16 -${height / 3} 16 -${height / 2} 0 -${height}`, ['#ffffff', 7], {
      opacity: 0.55,
    })
  })
