// These are the rules of the edits of a message, for the walks of conversations and chats (migrations/0019_edits.sql).

import { when } from './walk.ts'

const hasOwn = `(m.own is not null or m.edits @> '[{"own":true}]')`
const isEdited = '(m.rev is not null or m.edits is not null or m.own is not null)'

/** Selects the first of some messages `m` that breaks each rule. `isUnseen` says whether their authors see them no longer. */
export const brokenEdits = (isUnseen: string): string => `
  min(m.id) filter (where ${isEdited} and m.marks & 1 = 0 or ${hasOwn} and m.marks & 16 = 0) as unmarked,
  min(m.id) filter (where (m.rev is null) <> (m.edited_ms is null)
    or (m.own->>'rev')::integer < coalesce(m.rev, 0)
    or exists (select 1 from jsonb_array_elements(m.edits) as e (v)
      where (e.v->>'rev')::integer >= greatest(m.rev, (m.own->>'rev')::integer))) as misnumbered,
  min(m.id) filter (where ${isUnseen} and ${hasOwn}) as unread_own`

/** The columns of a message that these rules need. */
export const columnsOfEdits = 'marks, rev, edited_ms, edits, own'

export const editFaults = [
  when('n.unmarked is not null', `format('message %s is edited, but marks do not say so', n.unmarked)`),
  when(
    'n.misnumbered is not null',
    `format('message %s has a version that is not before it', n.misnumbered)`,
  ),
  when(
    'n.unread_own is not null',
    `format('message %s has a text for its author, who does not see it', n.unread_own)`,
  ),
]
