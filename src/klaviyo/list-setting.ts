import { textField, textSetting } from '../payload/setting-kinds.js'
import type { Setting, SettingView } from '../payload/settings-table.js'
import { listComponent } from './list-field.js'

/** A setting that holds the id of one list. It may be blank. */
export const listSetting = (view: SettingView): Setting<string> => ({
  ...textSetting('', view),
  field(about) {
    const field = textField(about, view)
    return { ...field, admin: { ...field.admin, components: { Field: listComponent } } }
  },
})
