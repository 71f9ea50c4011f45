import type { BasePayload, PayloadRequest, TextField } from 'payload'
import { resolveText } from '../payload/environment-reference.js'
import { label } from '../payload/label.js'
import {
  readSecretText,
  secretMask,
  textField,
  textSetting,
  textsSetting,
} from '../payload/setting-kinds.js'
import { settingText } from '../payload/setting-choice.js'
import type { Setting, SettingView } from '../payload/settings-table.js'
import type { KnownLists } from './known-lists.js'
import { klaviyoListsField, listComponent } from './list-field.js'

/** What a list is checked with. */
export interface ListParts {
  /** Undefined while Storeconnect is switched off. */
  marketingOf: (payload: BasePayload) =>
    | {
        knownLists: Pick<KnownLists, 'read'>
        settings: { marketing: () => Promise<{ privateApiKey: string }> }
      }
    | undefined
}

/** A setting that holds the id of one list. It may be blank. */
export const listSetting = (view: SettingView): Setting<string, ListParts> => ({
  ...textSetting('', view),
  field(about) {
    const field = textField(about, { ...view, validate: isAtKlaviyo(about.parts) })
    return { ...field, admin: { ...field.admin, components: { Field: listComponent } } }
  },
})

/** A setting that holds the ids of several lists. */
export const listsSetting = (view: SettingView): Setting<readonly string[], ListParts> => ({
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
  ({ marketingOf }: ListParts) =>
  async (value: unknown, { data, event, previousValue, req }: Saved): Promise<string | true> => {
    const stored = idsOf(previousValue)
    const added = idsOf(value).filter((id) => !stored.includes(id))
    const marketing = marketingOf(req.payload)
    if (event !== 'submit' || added.length === 0 || marketing === undefined) return true
    if (changesKey(req.payload, data, await marketing.settings.marketing())) return true
    const known = await marketing.knownLists.read()
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
