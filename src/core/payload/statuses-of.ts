/** Whether a document as the database has it is a `draft` or `published`: one status, or one for each language. */
export const statusesOf = ({ _status: status }: Record<string, unknown>): unknown[] =>
  typeof status === 'object' && status !== null ? Object.values(status) : [status]
