'use client'

import {
  Link,
  formatTimeToNow,
  useConfig,
  useField,
  useTranslation,
  withCondition,
  type ReactSelectOption,
} from '@payloadcms/ui'
import type { TextFieldClientComponent, TextFieldClientProps, Validate } from 'payload'
import { useCallback, useEffect, useState } from 'react'
import { listEndpointPath } from '../klaviyo/list-field.js'
import type { ListReport } from '../klaviyo/list-endpoint.js'
import { adminUrl, apiUrl } from './admin-urls.js'
import { choicesOf, idsOf, pickedOf, type ListAnswer } from './list-choices.js'
import { SelectField } from './select-field.js'
import { askShop } from './use-shop.js'
import { useWords } from './use-words.js'

/** Payload's validation of a text field, with the limits of the field's config. */
function useTextValidation({
  field: { hasMany, minRows, maxRows, required },
  validate,
}: Pick<TextFieldClientProps, 'field' | 'validate'>): Validate {
  return useCallback<Validate>(
    (value, options) =>
      validate?.(value as never, { ...options, hasMany, minRows, maxRows, required } as never) ??
      true,
    [validate, hasMany, minRows, maxRows, required],
  )
}

/** The note below the field: why there are no lists to choose from, or how old they are. */
function ListFieldNote({ answer }: { answer: ListAnswer | undefined }) {
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

/** A field that shows Klaviyo's lists by name, and stores the ids of the picked ones. */
const ListFieldComponent: TextFieldClientComponent = (props) => {
  const { field, path, readOnly = false } = props
  const { hasMany = false } = field
  const validate = useTextValidation(props)
  const state = useField<unknown>({ potentiallyStalePath: path, validate })
  const { disabled, setValue, value } = state
  const { translate } = useWords()
  const answer = useListAnswer()

  // The select passes null when the last list is removed.
  const onChange = (chosen: ReactSelectOption | ReactSelectOption[] | null) => {
    const ids = [chosen ?? []].flat().map((choice) => String(choice.value))
    setValue(hasMany ? ids : (ids[0] ?? null))
  }

  return (
    <SelectField
      field={field}
      note={<ListFieldNote answer={answer} />}
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
  const url = apiUrl(config, listEndpointPath)
  const [answer, setAnswer] = useState<ListAnswer>()
  useEffect(() => {
    let isShown = true
    void readLists(url).then((read) => isShown && setAnswer(read))
    return () => {
      isShown = false
    }
  }, [url])
  return answer
}

/** All list fields of the admin share one answer for so long. */
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

export const ListField = withCondition(ListFieldComponent)
