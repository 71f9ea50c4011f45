const shippedTo = [
  ...['AT', 'AU', 'BE', 'CA', 'CH', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR', 'GB', 'IE', 'IT'],
  ...['JP', 'KW', 'NL', 'NO', 'NZ', 'PL', 'PT', 'SE', 'US'],
]

export interface Country {
  /** Two letters, as orders keep it. */
  code: string
  name: string
}

/** Where the shop sends parcels, by name in the language. */
export function countries(language: string): Country[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return shippedTo
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, language))
}
