import type { Words } from './words.js'

/** What stays of anonymised orders and payments, with the fields that the store's options keep. */
export const whatStays = (
  { translate }: Pick<Words, 'translate'>,
  keepFields: readonly string[],
): string =>
  keepFields.length === 0
    ? translate('erasureKeeps')
    : `${translate('erasureKeeps')} ${translate('erasureKeepsFields', { fields: keepFields.join(', ') })}`
