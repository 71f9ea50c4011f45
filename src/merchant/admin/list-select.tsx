'use client'

import {
  Link,
  formatTimeToNow,
  useConfig,
  useDocumentInfo,
  useField,
  useTranslation,
} from '@payloadcms/ui'
import type { TextFieldClientProps } from 'payload'
import { useEffect, useState } from 'react'
import { listEndpointPath } from '../../marketing/settings/list-field.js'
import type { ListReport } from '../../marketing/settings/list-endpoint.js'
import { adminUrl, apiUrl } from './admin-urls.js'
import { choicesOf, idsOf, pickedOf, type ListAnswer } from './list-choices.js'
import { SelectField, valuesOf, type Picked } from './select-field.js'
import { askShop } from './use-shop.js'
import { useWords } from './use-words.js'

/** The note below the field: why there are no lists to choose from, or how old they are. */
function ListNote({ answer }: { answer: ListAnswer | undefined }) {
  const { config } = useConfig()
  const { i18n } = useTranslation()
  const { translate } = useWords()

  switch (answer?.is) {
    case undefined:
      return null
    case 'no-key':
      return (
        <>
          {translate('listsNoKey')}{' '}
          <Link href={adminUrl(config, '/globals/marketing-settings')}>
            {translate('listsOpenSettings')}
          </Link>
        </>
      )
    case 'unknown':
      return translate('listsUnknown', { reason: answer.problem })
    case 'known':
      if (answer.problem !== undefined) {
        const age = formatTimeToNow({ date: answer.readAt, i18n })
        return translate('listsOld', { age, reason: answer.problem })
      }
      return answer.isComplete ? null : translate('listsIncomplete')
    case 'forbidden':
      return translate('listsForbidden')
    case 'unanswered':
      return translate('listsUnanswered')
  }
}

interface ListSelectProps {
  field: TextFieldClientProps['field']
  path: string
  readOnly: boolean
}

/** A select that shows Klaviyo's lists by name. Its value are the ids of the picked ones. */
export function ListSelect({ field, path, readOnly }: ListSelectProps) {
  const { hasMany = false } = field
  const state = useField<unknown>({ potentiallyStalePath: path })
  const { disabled, setValue, value } = state
  const { translate } = useWords()
  const answer = useListAnswer()

  const onChange = (picked: Picked) => {
    const ids = valuesOf(picked)
    setValue(hasMany ? ids : (ids[0] ?? null))
  }

  return (
    <SelectField
      field={field}
      note={<ListNote answer={answer} />}
      select={{
        disabled: readOnly || disabled,
        isLoading: answer === undefined,
        isMulti: hasMany,
        isSortable: hasMany,
        onChange,
        options: choicesOf(answer),
        value: pickedOf(idsOf(value), answer, (id) => translate('listGone', { id })),
      }}
      state={state}
    />
  )
}

/** Undefined until the shop has answered. */
function useListAnswer(): ListAnswer | undefined {
  const { config } = useConfig()
  // The key may be what was saved.
  const { lastUpdateTime } = useDocumentInfo()
  const url = apiUrl(config, listEndpointPath)
  const [answer, setAnswer] = useState<ListAnswer>()
  useEffect(() => {
    let isShown = true
    void readLists(url).then((read) => isShown && setAnswer(read))
    return () => {
      isShown = false
    }
  }, [url, lastUpdateTime])
  return answer
}

/** How long all list fields of the admin share one answer. */
const sharedMs = 30_000

let shared: { answer: Promise<ListAnswer>; until: number } | undefined

function readLists(url: string): Promise<ListAnswer> {
  if (shared && shared.until > Date.now()) return shared.answer
  const asked = { answer: askForLists(url), until: Date.now() + sharedMs }
  shared = asked
  void asked.answer.then(({ is }) => {
    if (is !== 'known') asked.until = 0
  })
  return asked.answer
}

async function askForLists(url: string): Promise<ListAnswer> {
  const answer = await askShop<ListReport>(url)
  if ('body' in answer) return answer.body
  return { is: answer.status === 403 ? 'forbidden' : 'unanswered' }
}
