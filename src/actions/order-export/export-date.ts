const twoDigits = (value: number) => String(value).padStart(2, '0')

/** `M/D/YYYY HH:mm` in UTC, as the shipping platform reads dates (`decisions.md`, Shipping). */
export function exportDate(date: Date): string {
  const day = `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
  return `${day} ${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`
}
