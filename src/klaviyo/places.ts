/** Puts items that may share one place in a body together, in the order of the first of each. */
export function placesOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): { items: Item[]; indexes: number[] }[] {
  const places = new Map<string, { items: Item[]; indexes: number[] }>()
  items.forEach((item, index) => {
    const key = keyOf(item)
    const place = places.get(key) ?? { items: [], indexes: [] }
    place.items.push(item)
    place.indexes.push(index)
    places.set(key, place)
  })
  return [...places.values()]
}
