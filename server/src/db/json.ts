// JSON text of a row, put together by hand. It takes PostgreSQL about half the time of row_to_json with json_strip_nulls,
// which is most of the cost of a list. Each part but the first begins with its comma. Columns must not be null but where
// it says so, and names must need no escaping.

import { instant } from './fragments.ts'

/** An object of these parts, the first of which is its id. */
export const jsonObject = (id: string, ...parts: string[]) =>
  `('{"id":' || (${id})::text || ${parts.join(' || ')} || '}')`

export const jsonText = (name: string, text: string) => `',"${name}":' || to_json(${text})::text`

/** Left out when it is null. */
export const jsonOptional = (name: string, text: string) => `coalesce(${jsonText(name, text)}, '')`

/** A number or a boolean. */
export const jsonValue = (name: string, value: string) => `',"${name}":' || (${value})::text`

/** Text that is a constant of the statement, in letters that need no escaping. */
export const jsonConstant = (name: string, text: string) => `',"${name}":"${text}"'`

/** `timestamp` and `timestamp_dtm`: the same instant, written once. Empty when it is null. */
export const jsonTimestamps = (column: string) =>
  `replace(',"timestamp":"@","timestamp_dtm":"@"', '@', coalesce(${instant(column)}, ''))`
