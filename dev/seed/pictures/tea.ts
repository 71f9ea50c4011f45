import { box, circle, ellipse, fill, line, picture, shadow, shine, steam } from './drawing.ts'
import type { Drawing } from './drawing.ts'

export const teapot: Drawing = () => {
  const body = 'M110 292c0-74 54-118 128-118s128 44 128 118c0 58-52 96-128 96s-128-38-128-96z'
  return picture({
    light: '#f6e7d3',
    deep: '#e0b98f',
    table: '#b98253',
    shapes: [
      shadow(240, 390, 150),
      line('M148 210C132 60 344 60 330 210', ['#2b2f33', 13]),
      fill('M352 262c44-4 52-46 80-58l12 14c-26 20-32 82-92 92z', '#33383d'),
      fill(body, '#33383d'),
      ...Array.from({ length: 5 }, (_, row) =>
        line(`M${128 + row * 4} ${236 + row * 30}h${220 - row * 8}`, ['#4b5258', 4], {
          'stroke-dasharray': '1 15',
        }),
      ),
      shine(body),
      fill('M176 182c10-26 114-26 126 0z', '#24282b'),
      circle([239, 156], 13, '#8d5a35'),
      ...steam(424, 188),
    ],
  })
}

export const teaTin: Drawing = () => {
  const side = 'M142 160h196v224c0 14-196 14-196 0z'
  return picture({
    light: '#eef4e1',
    deep: '#b9cf9a',
    table: '#8fa970',
    shapes: [
      shadow(240, 392, 122),
      fill(side, '#3f6b3f'),
      shine(side),
      box([134, 120, 212, 56], '#2f5130', 12),
      box([134, 120, 212, 14], '#4d7c4c', 7),
      box([164, 212, 152, 132], '#f5efdc', 8),
      fill('M240 226c46 20 54 64 8 104c-46-24-54-72-8-104z', '#6f9a4d'),
      line('M242 240c-4 32-2 58 6 86M243 268l22-14M244 288l26-12M243 276l-20-14', ['#f5efdc', 4]),
    ],
  })
}

export const pouch: Drawing = () => {
  const bag = 'M150 118h180l16 252c2 14-212 14-210 0z'
  return picture({
    light: '#fdeedb',
    deep: '#f2b77c',
    table: '#c98246',
    shapes: [
      shadow(240, 388, 124),
      fill(bag, '#2c3a5e'),
      shine(bag),
      box([146, 106, 188, 30], '#223050', 6),
      line('M156 121h168', ['#52628c', 3], { 'stroke-dasharray': '6 7' }),
      circle([240, 250], 66, '#f39a3d'),
      circle([240, 250], 56, '#ffd9a0'),
      ...Array.from({ length: 8 }, (_, slice) =>
        fill('M240 242L226 204Q240 192 254 204z', '#f6a94f', {
          transform: `rotate(${slice * 45} 240 250)`,
        }),
      ),
      circle([240, 250], 6, '#fff3df'),
      box([186, 336, 108, 8], '#f2e3c6', 4),
      box([204, 354, 72, 6], '#8d9abf', 3),
    ],
  })
}

export const cup: Drawing = () => {
  const bowl = 'M146 224h188l-18 138c-2 24-150 24-152 0z'
  return picture({
    light: '#e8eef2',
    deep: '#a9bfcc',
    table: '#7f97a5',
    shapes: [
      shadow(240, 386, 112),
      fill(bowl, '#c2714f'),
      fill('M152 268l-6-44h188l-6 44c-28 14-60-6-92 6s-62 10-84-6z', '#e9d8c3'),
      shine(bowl),
      ellipse([240, 224], [94, 22], '#f3e7d6'),
      ellipse([240, 226], [82, 16], '#7a4a25'),
      ellipse([222, 222], [26, 5], '#a36a3b'),
      ...steam(240, 190),
    ],
  })
}

export const whisk: Drawing = () => {
  const tines = Array.from({ length: 17 }, (_, index) => {
    const top = 150 + index * 11.25
    const bend = 196 + index * 5.5
    return line(`M${bend} 262C${top - 8} 220 ${top} 190 ${top + (8 - index) * 2.4} 132`, [
      '#d8b46a',
      4,
    ])
  })
  const handle = 'M192 262h96l-8 112c-2 12-78 12-80 0z'
  return picture({
    light: '#f3f6e4',
    deep: '#cdd9a0',
    table: '#a3b06a',
    shapes: [
      shadow(240, 384, 84),
      ...tines,
      fill(handle, '#e2c27c'),
      line('M210 280l4 90M232 280v94M254 280l-2 94M274 280l-6 90', ['#c49d52', 3]),
      shine(handle),
      line('M192 264c30 12 66 12 96 0', ['#6d4a2a', 10]),
      ellipse([116, 366], [50, 20], '#5f8a3c'),
      ellipse([116, 360], [42, 14], '#8fbf57'),
    ],
  })
}
