import type { Drawing } from './pictures/drawing.ts'
import { envelope, honeyJar, notebook, tape, waxSeal } from './pictures/desk.ts'
import { cup, pouch, teaTin, teapot, whisk } from './pictures/tea.ts'
import { fountainPen, inkBottle } from './pictures/writing.ts'

export type WeightUnit = 'g' | 'kg' | 'oz' | 'lb'

export interface VariantSeed {
  label: string
  /** Added to the product's SKU. */
  suffix: string
  /** US cents. */
  price: number
  weight?: number
}

export interface VariantsSeed {
  type: 'Size' | 'Colour' | 'Nib'
  of: VariantSeed[]
}

export interface ProductSeed {
  title: string
  slug: string
  sku: string
  description: string
  picture: Drawing
  alt: string
  /** US cents; the other currencies follow from it. */
  price: number
  weight: number
  weightUnit: WeightUnit
  isSoldOut?: true
  variants?: VariantsSeed
}

const colours = (price: number, ...labels: string[]): VariantsSeed => ({
  type: 'Colour',
  of: labels.map((label) => ({ label, price, suffix: label.slice(0, 3).toUpperCase() })),
})

/** Everything that Kettle & Quill sells: tea and what one writes letters with. */
export const products: ProductSeed[] = [
  {
    title: 'Cast Iron Teapot',
    slug: 'cast-iron-teapot',
    sku: 'KQ-POT-01',
    description: 'Holds four cups and the heat of an afternoon. Comes with a steel infuser.',
    picture: teapot,
    alt: 'A dark iron teapot with a tall handle',
    price: 8900,
    weight: 1.45,
    weightUnit: 'kg',
  },
  {
    title: 'Morning Sencha',
    slug: 'morning-sencha',
    sku: 'KQ-SEN',
    description: 'First-flush green tea from Uji: fresh grass, a little sea air, no bitterness.',
    picture: teaTin,
    alt: 'A green tea tin with a leaf on its label',
    price: 1450,
    weight: 90,
    weightUnit: 'g',
    variants: {
      type: 'Size',
      of: [
        { label: '50 g', suffix: '50', price: 1450, weight: 90 },
        { label: '100 g', suffix: '100', price: 2600, weight: 150 },
        { label: '250 g', suffix: '250', price: 5900, weight: 320 },
      ],
    },
  },
  {
    title: 'Bergamot Earl Grey',
    slug: 'bergamot-earl-grey',
    sku: 'KQ-EGR',
    description: 'Black tea from Assam with oil of Calabrian bergamot and a few cornflowers.',
    picture: pouch,
    alt: 'A standing pouch of tea with an orange slice on it',
    price: 1250,
    weight: 4.2,
    weightUnit: 'oz',
    variants: {
      type: 'Size',
      of: [
        { label: '100 g', suffix: '100', price: 1250, weight: 4.2 },
        { label: '250 g', suffix: '250', price: 2750, weight: 9.6 },
      ],
    },
  },
  {
    title: 'Stoneware Cup',
    slug: 'stoneware-cup',
    sku: 'KQ-CUP',
    description: 'Thrown by hand, glazed inside, left bare where the fingers go.',
    picture: cup,
    alt: 'A stoneware cup with steam rising from it',
    price: 2800,
    weight: 11,
    weightUnit: 'oz',
    variants: colours(2800, 'Clay', 'Moss', 'Night'),
  },
  {
    title: 'Bamboo Whisk',
    slug: 'bamboo-whisk',
    sku: 'KQ-WSK-80',
    description: 'Eighty tines, cut from one piece of bamboo, for matcha that holds its foam.',
    picture: whisk,
    alt: 'A bamboo tea whisk standing upright',
    price: 1900,
    weight: 38,
    weightUnit: 'g',
  },
  {
    title: 'Linden Honey',
    slug: 'linden-honey',
    sku: 'KQ-HON-01',
    description: 'Pale, minty and thick, from the avenues of the city.',
    picture: honeyJar,
    alt: 'A jar of honey with a wooden dipper',
    price: 1150,
    weight: 1.1,
    weightUnit: 'lb',
  },
  {
    title: 'Ruled Notebook',
    slug: 'ruled-notebook',
    sku: 'KQ-NTB',
    description: '192 pages of paper that fountain pens like, thread-bound so that it lies flat.',
    picture: notebook,
    alt: 'A notebook with an elastic band and a ribbon',
    price: 2200,
    weight: 340,
    weightUnit: 'g',
    variants: colours(2200, 'Ochre', 'Navy', 'Fern'),
  },
  {
    title: 'Everyday Fountain Pen',
    slug: 'everyday-fountain-pen',
    sku: 'KQ-PEN',
    description: 'A steel nib, a resin barrel and a clip that does not tear pockets.',
    picture: fountainPen,
    alt: 'A fountain pen drawing a line of ink',
    price: 4800,
    weight: 24,
    weightUnit: 'g',
    variants: {
      type: 'Nib',
      of: [
        { label: 'Fine', suffix: 'F', price: 4800 },
        { label: 'Medium', suffix: 'M', price: 4800 },
        { label: 'Broad, 14 k gold', suffix: 'B14', price: 14500 },
      ],
    },
  },
  {
    title: 'Bottled Ink, 50 ml',
    slug: 'bottled-ink',
    sku: 'KQ-INK',
    description: 'Dries slowly, shades well and washes out of cuffs.',
    picture: inkBottle,
    alt: 'A square bottle of blue ink with a drop beside it',
    price: 1600,
    weight: 0.21,
    weightUnit: 'kg',
    variants: colours(1600, 'Indigo', 'Oxblood', 'Bottle Green'),
  },
  {
    title: 'Letter Set',
    slug: 'letter-set',
    sku: 'KQ-LTR-20',
    description: 'Twenty sheets of laid paper and twenty lined envelopes.',
    picture: envelope,
    alt: 'A letter with a stamp, half out of its envelope',
    price: 2400,
    weight: 310,
    weightUnit: 'g',
  },
  {
    title: 'Wax & Seal',
    slug: 'wax-and-seal',
    sku: 'KQ-SEAL-01',
    description: 'A brass seal with a beech handle and two sticks of red wax.',
    picture: waxSeal,
    alt: 'A red wax seal with a quill pressed into it',
    price: 3100,
    weight: 180,
    weightUnit: 'g',
  },
  {
    title: 'Washi Tape, Five Rolls',
    slug: 'washi-tape',
    sku: 'KQ-WSH-05',
    description: 'Rice paper tape in the colours of an autumn hedge.',
    picture: tape,
    alt: 'Five rolls of coloured paper tape',
    price: 1350,
    weight: 3.1,
    weightUnit: 'oz',
  },
  {
    title: 'Lidded Cup',
    slug: 'lidded-cup',
    sku: 'KQ-LID-01',
    description: 'A small cup with a lid and no handle, for teas that are brewed many times.',
    picture: cup,
    alt: 'A round cup on a saucer',
    price: 3400,
    weight: 220,
    weightUnit: 'g',
    isSoldOut: true,
  },
]
