'use client'

import { useEffect, useState } from 'react'
import { PrivacyChoice, type PrivacyChoiceProps } from '../(store)/privacy-choice.tsx'

type Script = PrivacyChoiceProps['script']

/** The privacy choice of a page that was built without the store's settings, and has no nonce. */
export function StaticPrivacyChoice() {
  const [script, setScript] = useState<Script>()
  useEffect(() => {
    void readScript().then(setScript)
  }, [])
  return <PrivacyChoice script={script} />
}

async function readScript(): Promise<Script> {
  const response = await fetch('/klaviyo.json')
  return ((await response.json()) as Script | null) ?? undefined
}
