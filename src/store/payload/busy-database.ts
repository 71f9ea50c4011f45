/**
 * Whether the database had no connection left, or was locked by another process for too long. Payload
 * keeps no more than the message of an error that no transaction could begin for.
 */
export function isBusyDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (
    code === tooManyConnections ||
    code === 'SQLITE_BUSY' ||
    error.message.includes(noConnectionInTime) ||
    isBusyDatabase(error.cause)
  )
}

const tooManyConnections = '53300'
const noConnectionInTime = 'timeout exceeded when trying to connect'
