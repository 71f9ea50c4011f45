import * as z from 'zod/mini'

/**
 * Returns the schema as it is. It compiles only when the schema takes exactly the options that are
 * declared, in all groups, each with its type.
 */
export const schemaOf =
  <Declared>() =>
  <Schema extends z.ZodMiniType>(schema: Schema & Takes<Declared, z.input<Schema>>): Schema =>
    schema

/** Asks nothing more of a schema of the same options, and otherwise something that no schema has. */
type Takes<Declared, Taken> =
  PathOf<Differences<Declared, Taken>> extends infer Path
    ? [Path] extends [never]
      ? unknown
      : { optionsThatDiffer: Path }
    : never

/** The options that one side lacks, or that have another type there. */
type Differences<Declared, Taken> =
  Exclude<Option<Declared>, Option<Taken>> | Exclude<Option<Taken>, Option<Declared>>

/** All options of a group and of the groups in it: of each its path and its type. */
type Option<Group> = {
  [Name in keyof Group & string]-?: Present<Group[Name]> extends Value
    ? readonly [path: Name, type: Group[Name]]
    : | readonly [path: Name, type: 'group' | Extract<Group[Name], undefined>]
      | Below<Name, Option<Present<Group[Name]>>>
}[keyof Group & string]

type Present<Type> = Exclude<Type, undefined>

type Value =
  ((...given: never[]) => unknown) | readonly unknown[] | string | number | boolean | null

type Below<Name extends string, Options> = Options extends readonly [
  path: infer Path extends string,
  type: infer Type,
]
  ? readonly [path: `${Name}.${Path}`, type: Type]
  : never

type PathOf<Options> = Options extends readonly [path: infer Path, type: unknown] ? Path : never

/** What a schema makes of the options: they are checked, and have their defaults. */
export type OptionsOf<Schema extends z.ZodMiniType> = Exact<z.output<Schema>>

/** Without the `undefined` that zod adds to what may be absent. */
type Exact<Type> = Type extends Value ? Type : { [Name in keyof Type]: Exact<Present<Type[Name]>> }

/** An option that is a function. */
export const callback = <Callback>() =>
  z.custom<NonNullable<Callback>>((value) => typeof value === 'function', {
    error: 'must be a function',
  })

/** An option that is the beginning of a URL; it ends without a slash. */
export const baseUrl = z.pipe(
  z.url({ protocol: /^https?$/ }),
  z.transform((url) => url.replace(/\/$/, '')),
)
