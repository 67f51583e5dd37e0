// This file has the SQL of the versions of a message `m`: its present text, which all see, and the one in `own`, which its author
// alone sees (migrations/0019_edits.sql).

import { type Fields, jsonEither } from '../db/json.ts'
import { instant } from './shared-sql.ts'

/** Names the column of a version: `message`, or one of those that only an encrypted message has. */
export type ColumnOf = (name: string) => string

/** Names the columns of the version that all see. */
export const inRow: ColumnOf = (name) => `m.${name}`
const inOwn: ColumnOf = (name) => `(m.own->>'${name}')`

const revised = (rev: string, ms: string): Fields => [
  { sql: `coalesce(',"revision":' || ${rev} || ',"edited_at":"' || ${instant(ms)} || '"', '')` },
]
const edited = revised('m.rev::text', 'm.edited_ms')
const editedOwn = revised(`nullif(m.own->>'rev', '0')`, `(m.own->>'ms')`)

/** Makes fields of a message as all see it. */
export const asAllSee = (fieldsOf: (of: ColumnOf) => Fields): Fields => [...fieldsOf(inRow), ...edited]

/** Makes fields of a message as the wallet `reader` sees it; an expression names the wallet. */
export const asSeenBy = (reader: string, fieldsOf: (of: ColumnOf) => Fields): Fields =>
  jsonEither(`m.own is null or m.fromaddr <> ${reader}`, asAllSee(fieldsOf), [
    ...fieldsOf(inOwn),
    ...editedOwn,
  ])

/** Names the columns of a message that only a direct message has; a post has null in their place. */
type Sealed = (column: string) => string
const ofDirect: Sealed = (column) => column
const ofPost: Sealed = () => 'null'

const seenVersions = (
  reader: string,
  sealed: Sealed,
) => `seen_versions_v1(m.edits, version_v1(coalesce(m.rev, 0),
  coalesce(m.edited_ms, m.ms), m.message, ${sealed('m.encrypted_sym_x_key')}, ${sealed('m.x_access_conditions')}),
  m.own, m.fromaddr = ${reader})`

/** Selects what stood in a message `m` before, oldest first, as the wallet `reader` sees it: versions as JSON. */
export const versionsOfMessage = (reader: string) => seenVersions(reader, ofDirect)
export const versionsOfPost = (reader: string) => seenVersions(reader, ofPost)

/** Makes the field with them, where there are any: for an export. */
export const earlier = (versions: string): Fields =>
  jsonEither(
    'm.edits is null and m.own is null',
    [''],
    [{ sql: `coalesce(',"edits":' || nullif(${versions}, '[]')::text, '')` }],
  )

/** Makes a text column of a message as the wallet `reader` sees it. */
export const columnSeenBy = (reader: string, name: string): string =>
  `case when m.own is null or m.fromaddr <> ${reader} then m.${name} else m.own->>'${name}' end`
