// JSON text of a row, put together by hand, because that is most of the cost of a list: it takes PostgreSQL a third of the
// time of row_to_json. Constant text is joined here, not for each row, and nothing is escaped that is not there. Each part
// but the first begins with its comma. Names and constants must need no escaping.

/** Pieces of the text: as it stands, or the text that an expression gives. */
type Piece = string | { sql: string }
export type Part = Piece[]

/** An object of these parts, the first of which is its id. */
export const jsonObject = (id: string, ...parts: Part[]): string =>
  textOf(['{"id":', { sql: `(${id})::text` }, ...parts.flat(), '}'])

/** Parts that are put into an object later, as one text. */
export const jsonParts = (...parts: Part[]): string => textOf(parts.flat())

/** What jsonParts made. */
export const jsonMade = (sql: string): Part => [{ sql }]

/** Text that is never null. */
export const jsonText = (name: string, text: string): Part => [
  `,"${name}":`,
  { sql: `to_json(${text})::text` },
]

/** Text that is JSON already, empty when it is null. */
export const jsonOrEmpty = (name: string, json: string): Part => [
  { sql: `coalesce(',"${name}":' || ${json}, ',"${name}":""')` },
]

/** True or false; null counts as false. */
export const jsonBoolean = (name: string, condition: string): Part =>
  jsonEither(condition, [`,"${name}":true`], [`,"${name}":false`])

export const jsonConstant = (name: string, text: string): Part => [`,"${name}":"${text}"`]

/** One of two parts. */
export const jsonEither = (condition: string, part: Part, otherwise: Part): Part => [
  { sql: `case when ${condition} then ${textOf(part)} else ${textOf(otherwise)} end` },
]

/** Texts, by name, that most rows have none of. What is null is empty, or left out. */
export function jsonSeldom(texts: Record<string, string>, whenNull: 'empty' | 'left out'): Part {
  const all = Object.entries(texts)
  const none = whenNull === 'empty' ? all.flatMap(([name]) => jsonConstant(name, '')) : ['']
  const some = all.flatMap(([name, text]): Part => {
    if (whenNull === 'empty') return jsonOrEmpty(name, `to_json(${text})::text`)
    return [{ sql: `coalesce(${textOf(jsonText(name, text))}, '')` }]
  })
  const given = `coalesce(${Object.values(texts).join(', ')})`
  return jsonEither(`${given} is null`, none, some)
}

/**
 * `timestamp` and `timestamp_dtm`: the same instant, written once, empty when it is null. The column is a timestamptz(3).
 * The microsecond makes PostgreSQL write all six digits, of which three are taken: that is quicker than to_char.
 */
export function jsonTimestamps(column: string): Part {
  const instant = `left(to_json(${column} at time zone 'utc' + interval '1 us')::text, 24) || 'Z"'`
  return [{ sql: `replace(',"timestamp":@,"timestamp_dtm":@', '@', coalesce(${instant}, '""'))` }]
}

/** One expression for all pieces, neighbours that are constant joined. */
function textOf(pieces: Piece[]): string {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece
    else joined.push(piece)
  }
  return concatenated(joined.map((piece) => (typeof piece === 'string' ? `'${piece}'` : piece.sql)))
}

/** By halves, so that what is long is not copied again for each piece after it. */
function concatenated(texts: string[]): string {
  const half = Math.ceil(texts.length / 2)
  return half === texts.length
    ? texts[0]!
    : `(${concatenated(texts.slice(0, half))} || ${concatenated(texts.slice(half))})`
}
