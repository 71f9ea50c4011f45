import { en } from './en.js'

type Key = keyof typeof en

type NameOf<Plural> = Plural extends `${infer Name}_other` ? Name : never

type Counted = NameOf<Key>

/** A text without a plural. */
export type PlainKey = Exclude<Key, `${Counted}_one` | `${Counted}_other`>

/** The name of a text. A text with a plural has one name, without `_one` and `_other`. */
export type TranslationKey = PlainKey | Counted

/**
 * A language's texts by key; it may also have `_few` and `_many`, as `Intl.PluralRules` names them. Missing
 * texts are English.
 */
export interface Translation extends Readonly<
  Partial<Record<Key | `${Counted}_few` | `${Counted}_many`, string>>
> {}

/** An English text with its `{{placeholders}}` filled in, for the log. */
export const englishText = (
  key: Key,
  values: Readonly<Record<string, string | number>> = {},
): string => en[key].replace(/\{\{(\w+)\}\}/g, (gap, name: string) => String(values[name] ?? gap))
