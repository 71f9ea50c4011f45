import { box, circle, ellipse, fill, line, picture, shadow, shine, turned } from './drawing.ts'
import type { Drawing } from './drawing.ts'

export const fountainPen: Drawing = () => {
  const barrel = 'M214 66c0-14 52-14 52 0l6 210h-64z'
  return picture({
    light: '#f1eaf6',
    deep: '#c3add3',
    table: '#f8f3e8',
    shapes: [
      line('M50 428c40-34 66 26 104-4s52-22 66 2', ['#27336b', 6]),
      turned(
        34,
        [240, 240],
        [
          fill(barrel, '#6b2d4f'),
          shine(barrel),
          box([208, 250, 64, 14], '#d9b65c', 4),
          box([258, 78, 10, 130], '#d9b65c', 5),
          fill('M210 276h60l-8 62h-44z', '#2b2630'),
          fill('M220 338h40c2 36-8 62-20 92c-12-30-22-56-20-92z', '#e3c46f'),
          line('M240 372v56', ['#6d5621', 3]),
          circle([240, 368], 6, '#6d5621'),
        ],
      ),
      shadow(330, 436, 84),
    ],
  })
}

export const inkBottle: Drawing = () => {
  const glass =
    'M140 232c0-18 14-28 30-28h140c16 0 30 10 30 28v128c0 14-10 24-24 24H164c-14 0-24-10-24-24z'
  return picture({
    light: '#e6edf8',
    deep: '#98aed8',
    table: '#6d83b3',
    shapes: [
      shadow(240, 388, 120),
      fill(glass, '#dfe8f5'),
      fill('M152 264c50-12 120 14 176 0v92c0 10-6 16-16 16H168c-10 0-16-6-16-16z', '#1f2f77'),
      shine(glass),
      box([194, 166, 92, 40], '#c9d6ea', 6),
      box([180, 112, 120, 62], '#22252b', 10),
      ...Array.from({ length: 10 }, (_, ridge) =>
        box([188 + ridge * 11, 118, 4, 50], '#3a3f48', 2),
      ),
      box([184, 286, 112, 58], '#f8f3e4', 4),
      line('M200 306h80M200 324h48', ['#1f2f77', 4]),
      fill('M398 300c22 34 32 48 32 64c0 18-14 30-32 30s-32-12-32-30c0-16 10-30 32-64z', '#2c3f96'),
      ellipse([386, 360], [7, 13], '#7f92dd'),
      turned(
        -20,
        [80, 380],
        [ellipse([84, 404], [44, 12], '#1f2f77'), circle([136, 412], 8, '#1f2f77')],
      ),
    ],
  })
}
