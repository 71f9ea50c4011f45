import path from 'node:path'
import type { StoreEnvironment } from './environment.ts'

/** What removes the demo's data, so that the next start makes it again. */
export function beginAnew({
  dataDirectory,
  databaseUrl,
}: Pick<StoreEnvironment, 'dataDirectory' | 'databaseUrl'>): string {
  if (!databaseUrl.startsWith('file:')) {
    return `rm -r ${dataDirectory}  and empty the PostgreSQL database that DATABASE_URL names`
  }
  const file = path.resolve(databaseUrl.slice('file:'.length))
  const isInside = file.startsWith(dataDirectory + path.sep)
  return `rm -r ${isInside ? dataDirectory : `${dataDirectory} ${file}`}`
}
