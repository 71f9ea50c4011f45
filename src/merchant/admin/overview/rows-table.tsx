import { Table } from '@payloadcms/ui'
import type { Column } from 'payload'
import type { ReactNode } from 'react'

interface RowsTableProps {
  /** Unique on the page, because Payload makes ids from it and the names of the columns. */
  name: string
  columns: { name: string; heading: string }[]
  rows: { id: string; cells: ReactNode[] }[]
}

/** Payload's table, filled row by row. */
export function RowsTable({ name: table, columns, rows }: RowsTableProps) {
  const filled = columns.map(({ name, heading }, index): Column => ({
    accessor: `${table}-${name}`,
    active: true,
    field: { name, type: 'text' },
    Heading: heading,
    renderedCells: rows.map(({ cells }) => cells[index]),
  }))
  return <Table appearance="condensed" columns={filled} data={rows.map(({ id }) => ({ id }))} />
}
