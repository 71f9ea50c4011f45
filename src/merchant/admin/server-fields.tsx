import { PriceInput } from '@payloadcms/plugin-ecommerce/rsc'
import type { CurrenciesConfig } from '@payloadcms/plugin-ecommerce/types'
import type {
  BasePayload,
  DefaultServerCellComponentProps,
  NumberFieldServerProps,
  ServerProps,
  TextFieldServerProps,
} from 'payload'
import type { ReactNode } from 'react'
import type { DocumentId } from '../../core/database/document-id.js'
import { labelText, translatorOf, type Translator } from '../../core/payload/label.js'
import type { SettingChoice } from '../../core/payload/setting-choice.js'
import { installedIn } from '../../core/installation.js'
import type { SendState } from '../../marketing/delivery/send.js'
import type { Standing } from '../story/story-entry.js'
import { InCurrency } from './amount-in-currency.js'
import { ListSelect } from './list-select.js'
import { SecretInput } from './secret-input.js'
import { ChoiceSelect } from './select-field.js'
import { waitText } from './send-words.js'
import { StandingText } from './standing.js'
import { createWords } from './words.js'

type ChoiceFieldProps = TextFieldServerProps & {
  choicesIn: (payload: BasePayload) => readonly SettingChoice<unknown>[]
  path: string
}

/** The field of a setting that names a part of the store. It offers the store's parts to choose. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { choicesIn, i18n, path, payload, readOnly = false } = props
  const choices = choicesIn(payload).map((choice) => ({
    ...choice,
    label: labelText(choice.label, i18n),
  }))
  return (
    <ChoiceSelect choices={choices} field={fieldForReader(props)} path={path} readOnly={readOnly} />
  )
}

/** A field that shows Klaviyo's lists by name, and stores the ids of the picked ones. */
export const ListField = (props: TextFieldServerProps & { path: string }) => (
  <ListSelect field={fieldForReader(props)} path={props.path} readOnly={props.readOnly ?? false} />
)

/** A field whose text is masked while it is typed. */
export const SecretField = (props: TextFieldServerProps & { path: string }) => (
  <SecretInput field={fieldForReader(props)} path={props.path} readOnly={props.readOnly ?? false} />
)

type AmountInputProps = NumberFieldServerProps & {
  currencies: CurrenciesConfig
  currencyPath: string
  path: string
}

/** The price input in the document's currency: by itself it finds only a currency field beside it. */
export function AmountInput({ currencies, currencyPath, ...props }: AmountInputProps) {
  const inputs = currencies.supportedCurrencies.map((currency): [string, ReactNode] => [
    currency.code,
    <PriceInput
      {...props}
      clientField={fieldForReader(props)}
      currenciesConfig={currencies}
      currency={currency}
      key={currency.code}
    />,
  ])
  return (
    <InCurrency
      currencyPath={currencyPath}
      defaultCurrency={currencies.defaultCurrency}
      inputs={Object.fromEntries(inputs)}
      path={props.path}
    />
  )
}

type StandingCellProps = Omit<DefaultServerCellComponentProps, 'rowData'> & {
  /** Payload renders the cells of its fields for the page of a document as well, without a document. */
  rowData?: { id: DocumentId }
  standingIn: (
    payload: BasePayload,
    order: DocumentId,
    translate: Translator,
  ) => Promise<Standing | undefined>
}

/** In the list of orders: how one stands at ShipStation. */
export async function StandingCell({ i18n, payload, rowData, standingIn }: StandingCellProps) {
  if (rowData === undefined) return null
  const standing = await standingIn(payload, rowData.id, translatorOf(i18n))
  return standing && <StandingText standing={standing} />
}

type ReasonCellProps = Omit<DefaultServerCellComponentProps, 'rowData'> & {
  rowData?: { id: number; state?: SendState; error?: { detail?: string | null } }
}

/** In the list of sends: why one waits, or what its error says. */
export async function ReasonCell({ i18n, payload, rowData }: ReasonCellProps) {
  if (rowData === undefined) return null
  const { id, state, error } = rowData
  const isWaiting = state === 'queued' || state === 'sending'
  const waits = isWaiting ? await (await installedIn(payload))?.sendWaits?.([id]) : undefined
  const wait = waits?.get(id)
  const reason = wait ? waitText(wait, createWords(i18n)) : error?.detail
  // An address that cannot be reached has no spaces.
  return <span style={{ overflowWrap: 'anywhere' }}>{reason}</span>
}

interface FieldProps<ClientField> {
  clientField: ClientField
  field: { label?: unknown }
  i18n: ServerProps['i18n']
}

/** Payload makes `clientField` once a process, with the label in the language of its first reader. */
function fieldForReader<ClientField>(props: FieldProps<ClientField>): ClientField {
  const { clientField, field, i18n } = props
  const { label } = field
  return typeof label === 'function'
    ? { ...clientField, label: labelText(label, i18n) }
    : clientField
}
