/** A value that a setting may have, as long as other settings have the values of `when`. */
export interface SettingChoice<Label> {
  value: string
  label: Label
  when?: Readonly<Record<string, string>>
}

/** The choices that there are while the other settings are as they are. */
export const choicesUnder = <Label>(
  choices: readonly SettingChoice<Label>[],
  valueOf: (setting: string) => unknown,
): SettingChoice<Label>[] =>
  choices.filter(({ when = {} }) =>
    Object.entries(when).every(([setting, value]) => settingText(valueOf(setting)) === value),
  )

/** A setting without the spaces around it; one that was never saved is blank. */
export const settingText = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : ''
