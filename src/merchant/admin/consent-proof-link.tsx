'use client'

import { useConfig } from '@payloadcms/ui'
import { consentProofPath } from '../../marketing/consent/consent-proof-path.js'
import { apiUrl } from './admin-urls.js'
import { useWords } from './use-words.js'

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
