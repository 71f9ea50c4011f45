import { box, circle, ellipse, fill, line, picture, shadow, shine, turned } from './drawing.ts'
import type { Drawing, Point } from './drawing.ts'

export const honeyJar: Drawing = () => {
  const glass = 'M152 190c0-18 176-18 176 0l10 24v142c0 36-196 36-196 0V214z'
  return picture({
    light: '#fff6d8',
    deep: '#f4cf74',
    table: '#d29b3a',
    shapes: [
      shadow(240, 386, 118),
      fill(glass, '#f0a21f'),
      fill('M150 232c40 16 140-14 180 2v-20l-8-20H160z', '#ffdc8a'),
      shine(glass),
      box([150, 146, 180, 46], '#f8f1e0', 10),
      ...Array.from({ length: 9 }, (_, stripe) =>
        box([158 + stripe * 19, 146, 9, 46], '#d9573f', 2),
      ),
      box([176, 262, 128, 74], '#fffaf0', 10),
      ...[206, 240, 274].map((x) =>
        fill(`M${x} 276l15 9v18l-15 9l-15-9v-18z`, x === 240 ? '#f0a21f' : '#f6c766'),
      ),
      turned(
        38,
        [366, 232],
        [
          box([360, 96, 12, 190], '#a86f3a', 6),
          ...[0, 1, 2, 3].map((ring) =>
            box([346 + ring, 268 + ring * 15, 40 - ring * 2, 11], '#8a5728', 6),
          ),
        ],
      ),
    ],
  })
}

export const notebook: Drawing = () => {
  const cover = 'M138 96h190c10 0 16 6 16 16v256c0 10-6 16-16 16H138z'
  return picture({
    light: '#e4eaf4',
    deep: '#9fb2d3',
    table: '#7186ad',
    shapes: [
      shadow(246, 394, 128),
      turned(
        -6,
        [240, 240],
        [
          box([144, 104, 206, 288], '#f7f2e6', 12),
          line('M348 118v262M344 114v268', ['#d8cfba', 2]),
          fill(cover, '#d8a032'),
          fill('M138 96h34v288h-34z', '#b98222'),
          shine(cover),
          box([304, 96, 12, 288], '#5b3d17'),
          box([198, 150, 84, 56], '#f9eed3', 6),
          line('M212 170h56M212 188h38', ['#a77d2d', 4]),
          fill('M226 384h18v46l-9-12l-9 12z', '#c2473b'),
        ],
      ),
    ],
  })
}

export const envelope: Drawing = () =>
  picture({
    light: '#fdeeee',
    deep: '#eab5ae',
    table: '#c98379',
    shapes: [
      shadow(240, 392, 164),
      box([118, 92, 244, 230], '#fffdf6', 6),
      ...[128, 154, 180].map((y, row) =>
        line(`M150 ${y}h${row === 2 ? 110 : 180}`, ['#b6bfd4', 5]),
      ),
      box([86, 208, 308, 178], '#e8ddc6', 10),
      fill('M90 212l150 112l150-112v-2H90z', '#d3c4a4'),
      fill('M86 386l112-100l42 32l42-32l112 100z', '#f3ead7'),
      box([316, 118, 34, 42], '#4f7d7a', 3),
      box([321, 123, 24, 32], '#cfe3df', 2),
      fill('M333 128l8 22h-16z', '#4f7d7a'),
      circle([240, 322], 24, '#b3312f'),
      line('M230 322l8 8l14-16', ['#e77c72', 5]),
    ],
  })

export const waxSeal: Drawing = () =>
  picture({
    light: '#f4efe6',
    deep: '#cdbfa8',
    table: '#9f8b6d',
    shapes: [
      shadow(196, 392, 124),
      turned(
        -3,
        [200, 320],
        [box([66, 250, 262, 132], '#fbf6ea', 6), fill('M66 250l131 78l131-78z', '#ece2cc')],
      ),
      fill(
        'M196 266c28-8 38 8 52 20s14 34 6 52s-26 30-52 28s-48-8-56-30s-8-40 8-54s26-12 42-16z',
        '#a92424',
      ),
      circle([198, 316], 36, '#c23531'),
      line('M182 338c6-26 16-40 36-50c-2 22-14 36-30 42M186 334l-6 12', ['#f2a39b', 5]),
      turned(
        24,
        [350, 230],
        [
          box([322, 84, 56, 170], '#8a5a33', 26),
          box([330, 84, 14, 170], '#a9743f', 7),
          box([310, 246, 80, 26], '#c9a14a', 6),
          box([302, 270, 96, 22], '#e0bd6a', 8),
        ],
      ),
      turned(
        -8,
        [410, 360],
        [box([322, 372, 130, 22], '#a92424', 6), box([322, 372, 130, 7], '#d05a52', 3)],
      ),
    ],
  })

export const tape: Drawing = () => {
  const roll = ([x, y]: Point, colour: string, mark: string) => [
    ellipse([x, y + 30], [66, 25], mark),
    fill(`M${x - 66} ${y}v30h132v-30z`, mark),
    ellipse([x, y], [66, 25], colour),
    ellipse([x, y], [42, 15], '#e9dcc3'),
    ellipse([x, y + 3], [36, 11], '#86735a'),
  ]
  return picture({
    light: '#eaf3ef',
    deep: '#a8ccc0',
    table: '#7aa596',
    shapes: [
      shadow(240, 392, 168),
      ...roll([164, 348], '#d66b4a', '#b4502f'),
      ...roll([316, 348], '#4b7f9e', '#35617c'),
      ...roll([164, 292], '#e6b94f', '#c79831'),
      ...roll([316, 292], '#7a9b52', '#5d7b3b'),
      ...roll([240, 236], '#a8608a', '#88466d'),
      fill('M60 150l120-34l10 30l-122 34z', '#e6b94f', { opacity: 0.85 }),
      line('M78 160l92-26', ['#fff3cf', 5], { 'stroke-dasharray': '2 14' }),
      fill('M300 96l122 26l-8 32l-122-28z', '#4b7f9e', { opacity: 0.85 }),
      line('M312 114l94 21', ['#cfe4ef', 5], { 'stroke-dasharray': '12 10' }),
    ],
  })
}
