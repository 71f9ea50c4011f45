import { en as storeconnect } from '../en.js'

/** The words of the admin, the notices and the pages, as `i18n.translations.en` has them. */
export const enTranslations = { storeconnect }

/** A language as Payload's own plugins export theirs. Other languages may have the same keys. */
export const en = { dateFNSKey: 'en-US', translations: enTranslations }
