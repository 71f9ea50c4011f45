'use client'

import { Link, useConfig } from '@payloadcms/ui'
import { failuresPath, consentProofPath } from '../../marketing/admin-paths.js'
import { adminUrl, apiUrl } from './admin-urls.js'
import { useWords } from './use-words.js'

export function FailuresLink() {
  const { config } = useConfig()
  const { translate } = useWords()
  return (
    <p>
      <Link href={adminUrl(config, failuresPath)}>{translate('failuresHeading')}</Link>
    </p>
  )
}

/** Downloads what shoppers agreed to at the checkout. */
export function ConsentProofLink() {
  const { config } = useConfig()
  const { translate } = useWords()
  return (
    <p className="field-type">
      <a download href={apiUrl(config, consentProofPath)}>
        {translate('consentProof')}
      </a>
    </p>
  )
}
