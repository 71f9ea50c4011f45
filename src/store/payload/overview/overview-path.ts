/** Below the admin's route. */
export const overviewPath = '/storeconnect'
