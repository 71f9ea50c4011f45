'use client'

import { Link, useConfig } from '@payloadcms/ui'
import { failuresPath } from '../../marketing/delivery/failures-path.js'
import { adminUrl } from './admin-urls.js'
import { useWords } from './use-words.js'

/** The link above the list of sends to the page of failures. */
export function FailuresLink() {
  const { config } = useConfig()
  const { translate } = useWords()
  return (
    <p>
      <Link href={adminUrl(config, failuresPath)}>{translate('failuresHeading')}</Link>
    </p>
  )
}
