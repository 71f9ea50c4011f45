'use client'

import {
  ReactSelect,
  useConfig,
  useField,
  useTranslation,
  withCondition,
  type ReactSelectOption,
} from '@payloadcms/ui'
import type { TextFieldClientComponent } from 'payload'
import { useEffect, useId, useState } from 'react'
import { listEndpointPath } from '../store/payload/list-endpoint-path.js'
import { apiUrl } from './admin-urls.js'
import { FieldFrame } from './field-frame.js'
import { choicesOf, idsOf, pickedOf } from './list-choices.js'
import { ListFieldNote } from './list-field-note.js'
import { readListReport, type ListAnswer } from './list-report.js'
import { useTextValidation } from './text-validation.js'
import { translateBy } from './translate.js'

/** Picks one or several of Klaviyo's lists by their names. What it holds are their ids. */
const ListFieldComponent: TextFieldClientComponent = (props) => {
  const { field, path: givenPath, readOnly = false } = props
  const { hasMany = false } = field
  const { customComponents, disabled, path, setValue, showError, value } = useField<unknown>({
    potentiallyStalePath: givenPath,
    validate: useTextValidation(props),
  })
  const { t } = useTranslation()
  const answer = useListAnswer()
  const inputId = useId()

  const picked = pickedOf(idsOf(value), answer, (id) => translateBy(t)('listGone', { id }))
  // Null when the last one is taken out.
  const change = (chosen: ReactSelectOption | ReactSelectOption[] | null) => {
    const ids = [chosen ?? []].flat().map((choice) => String(choice.value))
    setValue(hasMany ? ids : (ids[0] ?? null))
  }

  return (
    <FieldFrame
      components={customComponents}
      field={field}
      inputId={inputId}
      note={<ListFieldNote answer={answer} />}
      path={path}
      showError={showError}
    >
      <ReactSelect
        disabled={readOnly || disabled}
        inputId={inputId}
        isLoading={answer === undefined}
        isMulti={hasMany}
        isSortable={hasMany}
        onChange={change}
        options={choicesOf(answer)}
        showError={showError}
        value={picked}
      />
    </FieldFrame>
  )
}

/** Undefined until the shop has answered. */
function useListAnswer(): ListAnswer | undefined {
  const { config } = useConfig()
  const url = apiUrl(config, listEndpointPath)
  const [answer, setAnswer] = useState<ListAnswer>()
  useEffect(() => {
    let isShown = true
    void readListReport(url).then((read) => isShown && setAnswer(read))
    return () => {
      isShown = false
    }
  }, [url])
  return answer
}

export const ListField = withCondition(ListFieldComponent)
