// Columns of text whose values come from a request, as a list from which statements are made.

interface Column {
  /** How values are compared, where that is not the database's default. */
  collate?: 'C'
  /** Whether most rows have none: it is null then. */
  optional?: true
}

export type Columns<Name extends string = string> = Record<Name, Column>

/**
 * The arguments of `unnest` that make rows of arrays, one array per column:
 * `$1::text[] collate "C", $2::text[]`. `first` is the number of the first parameter.
 */
export const unnestArguments = (columns: Columns, first = 1): string =>
  Object.values(columns)
    .map(({ collate }, i) => `$${first + i}::text[]${collate ? ` collate "${collate}"` : ''}`)
    .join(', ')

/** The parameters of those arguments. */
export const arraysOf = <Name extends string>(
  columns: Columns<Name>,
  rows: Partial<Record<Name, string | undefined>>[],
): (string | null)[][] => namesOf(columns).map((name) => rows.map((row) => row[name] ?? null))

export const namesOf = <Name extends string>(columns: Columns<Name>): Name[] => Object.keys(columns) as Name[]
