/** Below Payload's API route. Apart from the endpoint, as the browser needs it too. */
export const listEndpointPath = '/storeconnect/lists'
