import { Fragment, type ReactNode } from 'react'

/** Names with what goes with them. */
export function FactList({ facts }: { facts: { name: string; value: ReactNode }[] }) {
  return (
    <dl className="storeconnect-overview__facts">
      {facts.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
