'use client'

import { Link, useConfig } from '@payloadcms/ui'
import type { PersonQuery } from '../../people/person.js'
import { personUrl } from '../admin-urls.js'
import { useWords } from '../use-words.js'

interface PersonLinkProps {
  by: PersonQuery['by']
  /** The id of the document; undefined before it is saved. */
  value: number | string | undefined
}

/** From a document to the page of the person whom it names. */
export function PersonLink({ by, value }: PersonLinkProps) {
  const { config } = useConfig()
  const { translate } = useWords()
  if (value === undefined) return null
  return (
    <p>
      <Link href={personUrl(config, { by, value: String(value) })}>{translate('personOpen')}</Link>
    </p>
  )
}
