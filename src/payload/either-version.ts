// What Payload 3 and Payload 4 call differently. Each passes over what only the other knows, so both are written,
// and typed as plain objects, for the types of neither have all of it.

/** Payload 4 knows neither of the two, and offers the field as a filter and a column. */
export const notFilterable: object = { disableListFilter: true }
export const notAColumn: object = { disableListColumn: true }

/** For a collection whose hooks need a field that a reader has not asked for. */
export const alwaysReads = (field: string): object => ({
  forceSelect: { [field]: true },
  select: ({ select = {} }: { select?: Readonly<Record<string, unknown>> }) =>
    Object.values(select).some((wanted) => wanted !== false)
      ? { ...select, [field]: true }
      : undefined,
})
