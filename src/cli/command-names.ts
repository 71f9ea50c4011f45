/** What Payload's command line knows our command by: `payload storeconnect:sync-orders`. */
export const syncOrdersCommand = 'storeconnect:sync-orders'
