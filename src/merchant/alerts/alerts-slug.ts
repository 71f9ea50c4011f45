/** It has a file of its own because the browser loads it too. */
export const alertsSlug = 'storeconnect-alerts'
