/** It has a file of its own because the browser imports it too. */
export const alertsSlug = 'storeconnect-alerts'
