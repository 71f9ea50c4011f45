import '../../src/marketing/forms/event-parameters.js'
import '../../src/shipping/business-time.js'
import '../../src/shipping/dates/read-date-time.js'
import '../../src/shipping/export/skip-reason.js'
import '../../src/shipping/notice/ship-notice-xml.js'
import { allTranslations } from '../../src/core/translations/translations.js'

// What the shop loads at its first use takes real time, and a run has none: its clock would go on meanwhile.
await allTranslations()
