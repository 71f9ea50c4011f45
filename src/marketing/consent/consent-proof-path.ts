/** The path below Payload's API route. It stands here because the browser needs it too. */
export const consentProofPath = '/storeconnect/consent-proof.csv'
