/** A value that a setting may have while the other settings have the values in `when`. */
export interface SettingChoice<Label> {
  value: string
  label: Label
  when?: Readonly<Record<string, string>>
}

/** The choices that the present values of the other settings allow. */
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
