// Makes SQL that joins the JSON text of a row from pieces, because that is most of the cost of a list: a page of 50 rows takes
// PostgreSQL 238 µs, with row_to_json 375 µs. Constant text is joined here, not for each row. Every field but the first has its
// comma. Names and constants must need no escaping.
//
//   jsonObject('m.id', jsonText('message', 'm.message'), jsonBoolean('read', 'm.read'))
//
// is the SQL
//
//   (('{"id":' || (m.id)::text) || (',"message":' || (to_json(m.message)::text ||
//     case when m.read then ',"read":true}' else …
//
// and gives {"id":7,"message":"gm","read":true}.

/** This is a piece of the text: constant, or the text of an SQL expression. */
type Piece = string | { sql: string }
export type Fields = Piece[]

/** Makes an object of these fields, the first of which is its id. */
export const jsonObject = (id: string, ...fields: Fields[]): string =>
  textOf(['{"id":', { sql: `(${id})::text` }, ...fields.flat(), '}'])

/** Makes fields that are put into an object later, as one text. */
export const jsonFields = (...fields: Fields[]): string => textOf(fields.flat())

/** Takes the text of jsonFields as fields of an object. */
export const jsonMade = (sql: string): Fields => [{ sql }]

/** Makes a field from a value that is never null. */
export const jsonText = (name: string, text: string): Fields => [
  `,"${name}":`,
  { sql: `to_json(${text})::text` },
]

/** Makes a field from text that is JSON already; null becomes `""`. */
export const jsonOrBlank = (name: string, json: string): Fields => [
  { sql: `coalesce(',"${name}":' || ${json}, ',"${name}":""')` },
]

/** Makes a field that is true or false; null counts as false. */
export const jsonBoolean = (name: string, condition: string): Fields =>
  jsonEither(condition, [`,"${name}":true`], [`,"${name}":false`])

/** Makes a field that is present where a text of the object was cut. */
export const jsonTruncated = (condition: string): Fields => jsonEither(condition, [',"truncated":true'], [''])

/** Makes a field from a number that is null in most rows, and omitted then. */
export const jsonNumberIfAny = (name: string, number: string): Fields => [
  { sql: `coalesce(',"${name}":' || ${number}::text, '')` },
]

/** Makes a field from JSON that is null in most rows, and omitted then. */
export const jsonIfAny = (name: string, json: string): Fields => [
  { sql: `coalesce(',"${name}":' || ${json}::text, '')` },
]

export const jsonConstant = (name: string, text: string): Fields => [`,"${name}":"${text}"`]

export const jsonBlank = (name: string): Fields => jsonConstant(name, '')

/** Makes one of two lists of fields. */
export const jsonEither = (condition: string, fields: Fields, otherwise: Fields): Fields => [
  { sql: `case when ${condition} then ${textOf(fields)} else ${textOf(otherwise)} end` },
]

/**
 * Makes fields from columns of the row `row` that are null in most rows, so one test checks them all first. A null column is
 * `""`, or omitted. `shown` gives the SQL of what is shown of a column.
 */
export function jsonOptional(
  names: string[],
  row: string,
  whenNull: 'blank' | 'omitted',
  shown = (column: string) => column,
): Fields {
  const none = whenNull === 'blank' ? names.flatMap(jsonBlank) : ['']
  const some = names.flatMap((name): Fields => {
    const text = shown(`${row}.${name}`)
    if (whenNull === 'blank') return jsonOrBlank(name, `to_json(${text})::text`)
    return [{ sql: `coalesce(${textOf(jsonText(name, text))}, '')` }]
  })
  const any = `coalesce(${names.map((name) => shown(`${row}.${name}`)).join(', ')})`
  return jsonEither(`${any} is null`, none, some)
}

/**
 * Makes `timestamp` and `timestamp_dtm`: the same instant, made once, `""` when it is null. The column is in milliseconds. The
 * added microsecond makes PostgreSQL write all six digits, of which three stay: that is faster than to_char.
 */
export function jsonTimestamps(ms: string): Fields {
  const time = `to_timestamp(${ms}::float8 / 1000) at time zone 'utc' + interval '1 us'`
  const instant = `left(to_json(${time})::text, 24) || 'Z"'`
  return [{ sql: `replace(',"timestamp":@,"timestamp_dtm":@', '@', coalesce(${instant}, '""'))` }]
}

/** Makes one expression of all pieces; neighbours that are constant are joined. */
function textOf(pieces: Piece[]): string {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece
    else joined.push(piece)
  }
  return concatenated(joined.map((piece) => (typeof piece === 'string' ? `'${piece}'` : piece.sql)))
}

/** It joins by halves, so that long text is not copied again for each piece after it. */
function concatenated(texts: string[]): string {
  const half = Math.ceil(texts.length / 2)
  return half === texts.length
    ? texts[0]!
    : `(${concatenated(texts.slice(0, half))} || ${concatenated(texts.slice(half))})`
}
