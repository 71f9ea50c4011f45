import { Table } from '@payloadcms/ui'
import type { Column } from 'payload'
import { useId, type ReactNode } from 'react'
import type { Words } from '../words.js'

export function Moment({ at, words }: { at: Date | undefined; words: Words }) {
  if (at === undefined) return words.translate('overviewNever')
  return (
    <time dateTime={at.toISOString()}>
      {words.ago(at)} <span className="storeconnect-overview__quiet">({words.moment(at)})</span>
    </time>
  )
}

export const FactList = ({ children }: { children: ReactNode }) => (
  <dl className="storeconnect-overview__facts">{children}</dl>
)

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

interface SectionProps {
  heading: string
  aside?: ReactNode
  isCard?: boolean | undefined
  children: ReactNode
}

/** A section with a heading, which screen readers can jump to. */
export function Section({ heading, aside, isCard = false, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} {...(isCard && { className: 'storeconnect-overview__card' })}>
      <div className="storeconnect-overview__heading">
        <h2 id={id}>{heading}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

interface RowsTableProps {
  /** Unique on the page, because Payload makes ids from it and the names of the columns. */
  name: string
  /** The headings by the names of the columns. */
  columns: Readonly<Record<string, string>>
  rows: { id: string; cells: ReactNode[] }[]
}

/** Payload's table, filled row by row. */
export function RowsTable({ name: table, columns, rows }: RowsTableProps) {
  const filled = Object.entries(columns).map(([name, Heading], index): Column => ({
    accessor: `${table}-${name}`,
    active: true,
    field: { name, type: 'text' },
    Heading,
    renderedCells: rows.map(({ cells }) => cells[index]),
  }))
  return <Table appearance="condensed" columns={filled} data={rows.map(({ id }) => ({ id }))} />
}
