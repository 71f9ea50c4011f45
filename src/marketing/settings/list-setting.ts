import type { BasePayload, PayloadRequest, TextField } from 'payload'
import type { CachedValue } from '../../core/database/cached-value.js'
import { secretMask } from '../../core/payload/secret-mask.js'
import { resolveText } from '../../core/payload/environment-reference.js'
import { label } from '../../core/payload/label.js'
import {
  readSecretText,
  textField,
  textSetting,
  textsSetting,
} from '../../core/payload/setting-kinds.js'
import { settingText } from '../../core/payload/setting-choice.js'
import type { Setting, SettingView } from '../../core/payload/settings-table.js'
import type { KlaviyoLists } from '../klaviyo/klaviyo-lists.js'
import { klaviyoListsField, listComponent } from './list-field.js'

export interface ListCheck {
  klaviyoLists: Pick<KlaviyoLists, 'read'>
  marketingSettings: Pick<CachedValue<{ privateApiKey: string }>, 'get'>
}

export interface ListChecks {
  /** Undefined while Storeconnect does not work. */
  workingPartsOf: (payload: BasePayload) => Promise<ListCheck | undefined>
}

/** It may be blank. */
export const listSetting = (view: SettingView): Setting<string, ListChecks> => ({
  ...textSetting('', view),
  field(about) {
    const field = textField(about, { ...view, validate: isAtKlaviyo(about.parts) })
    return { ...field, admin: { ...field.admin, components: { Field: listComponent } } }
  },
})

export const listsSetting = (view: SettingView): Setting<readonly string[], ListChecks> => ({
  ...textsSetting(view),
  field: (about) => {
    const validate = isAtKlaviyo(about.parts)
    const shownAs = (field: Parameters<typeof klaviyoListsField>[0]): TextField =>
      klaviyoListsField({ ...field, validate })
    return textsSetting({ ...view, shownAs }).field(about)
  },
})

interface Saved {
  data: unknown
  event?: 'onChange' | 'submit'
  previousValue?: unknown
  req: PayloadRequest
}

/** Refuses a list that Klaviyo does not have. While Klaviyo cannot be asked, any id is taken. */
const isAtKlaviyo =
  ({ workingPartsOf }: ListChecks) =>
  async (value: unknown, { data, event, previousValue, req }: Saved): Promise<string | true> => {
    const stored = idsOf(previousValue)
    const added = idsOf(value).filter((id) => !stored.includes(id))
    if (event !== 'submit' || added.length === 0) return true
    const parts = await workingPartsOf(req.payload)
    if (parts === undefined) return true
    if (changesKey(req.payload, data, await parts.marketingSettings.get())) return true
    const known = await parts.klaviyoLists.read()
    if (known.is !== 'known' || known.problem !== undefined || !known.isComplete) return true
    const isKnown = added.every((id) => known.lists.some((list) => list.id === id))
    return isKnown || label('listNotAtKlaviyo')(req)
  }

const idsOf = (value: unknown): string[] => [value ?? []].flat().map(settingText).filter(Boolean)

/** The lists that are known are those of the stored key, and the new one may be of another account. */
function changesKey(
  payload: BasePayload,
  data: unknown,
  { privateApiKey }: { privateApiKey: string },
): boolean {
  const { privateApiKey: typed } = data as { privateApiKey?: unknown }
  if (typeof typed !== 'string' || typed === secretMask) return false
  const clear = readSecretText(payload, typed) ?? ''
  return resolveText(clear, process.env).value.trim() !== privateApiKey
}
