/** A weight in a unit that the shipping platform knows. */
export interface ExportWeight {
  amount: number
  unit: 'Grams' | 'Ounces' | 'Pounds'
}

const units = new Map<string, { unit: ExportWeight['unit']; factor: number }>([
  ['g', { unit: 'Grams', factor: 1 }],
  ['kg', { unit: 'Grams', factor: 1000 }],
  ['oz', { unit: 'Ounces', factor: 1 }],
  ['lb', { unit: 'Pounds', factor: 1 }],
])

/** The platform has no kilograms: they become grams. A unit nobody knows is taken for grams. */
export function exportWeight(weight: number, weightUnit: string): ExportWeight {
  const { unit, factor } = units.get(weightUnit.toLowerCase()) ?? { unit: 'Grams', factor: 1 }
  return { amount: weight * factor, unit }
}
