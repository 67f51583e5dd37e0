// These walks check files of messages: their parts, their messages, and what those show of them. They do not read the bytes.

import { placed, type Walk, when, wrong } from './walk.ts'

/** Six bits of the first byte of an id are its bucket. PostgreSQL reads base64 with other characters than an id has. */
export const bucketOfId = (id: string) =>
  `get_byte(decode(translate(left(${id}, 4), '-_', '+/'), 'base64'), 0) & 63`

const pairOf = (row: string) =>
  `least(${row}.fromaddr, ${row}.toaddr) || ' ' || greatest(${row}.fromaddr, ${row}.toaddr)`

/** A file that waits under a legal hold is in the copy of its message. */
export const files: Walk = {
  table: 'files',
  with: ['blobs_gone'],
  key: ['bucket', 'id'],
  size: 500,
  faults: (within) => `
    select format('files %s', f.id) as row, ${wrong(
      placed('f.bucket', `(${bucketOfId('f.id')})`),
      when(
        `f.bucket <> case when f.place like '% %' then bucket_of(f.place) else chat_bucket(f.place) end`,
        `'it lies in another bucket than its place'`,
      ),
      when(
        `f.have > f.size or f.have <> coalesce(f.part_ends[cardinality(f.part_ends)], 0)`,
        `format('have is %s, where no part of its %s bytes ends', f.have, f.size)`,
      ),
      when(
        'cardinality(f.parts) <> cardinality(f.part_ends)',
        `format('it has %s parts, and %s ends of parts', cardinality(f.parts), cardinality(f.part_ends))`,
      ),
      when('g.id is not null and f.blocked is distinct from 2', `'its bytes are being deleted'`),
      when('f.item_id is not null and f.have <> f.size', `'a message has it, but not all of it is there'`),
      when(
        'f.item_id is not null and f.author is null',
        `format('its message %s does not exist', f.item_id)`,
      ),
      when(
        'f.author <> f.walletaddr or f.of_place <> f.place',
        `format('its message %s is of another wallet or place', f.item_id)`,
      ),
      when(
        `f.author is not null and not coalesce(f.shown @> jsonb_build_array(jsonb_build_object('id', f.id)), false)`,
        `format('its message %s does not show it', f.item_id)`,
      ),
    )}
    from (
      select r.*, coalesce(d.fromaddr, p.fromaddr, w.fromaddr, h.fromaddr) as author,
        coalesce(${pairOf('d')}, p.chat, w.chat, h.chat, ${pairOf('h')}) as of_place,
        coalesce(d.files, p.files, w.files, (h.item->'files')::jsonb) as shown
      from files r
      left join direct_messages d on d.bucket = r.bucket and d.id = r.item_id
      left join group_messages p on p.bucket = r.bucket and p.id = r.item_id
      left join withheld_posts w on w.bucket = r.bucket and w.id = r.item_id
      left join held_messages h on h.bucket = r.bucket and h.id = r.item_id
      where ${within('r.bucket, r.id')}
    ) f
    left join blobs_gone g on g.bucket = f.bucket and g.id = f.id`,
}

export const goneFiles: Walk = {
  table: 'blobs_gone',
  key: ['bucket', 'id'],
  size: 5000,
  faults: (within) => `
    select format('blobs_gone %s', r.id) as row, ${wrong(placed('r.bucket', `(${bucketOfId('r.id')})`))}
    from blobs_gone r where ${within('r.bucket, r.id')}`,
}

/** Checks what the messages of some places show of their files. A removed message shows none, whatever its marks say. */
const shownBy = (
  table: string,
  place: string,
  { of, removable }: { of: [string, 'id' | 'chat']; removable: boolean },
): Walk => ({
  table: of[0],
  with: [table, 'files'],
  key: ['bucket', of[1]],
  size: 200,
  faults: (within) => `
    select format('${table} %s', s.id) as row, ${wrong(
      when('s.marked and not s.has', `'marks say that it has files, but it has none'`),
      when('s.has and not s.marked', `'it has files, but marks do not say so'`),
      when('s.missing is not null', `format('it shows file %s, which it does not have', s.missing)`),
      when('s.other is not null', `format('it does not show file %s as it is', s.other)`),
    )}
    from (
      select m.bucket, m.id, m.marks & 32 <> 0 as marked, m.files is not null as has,
        min(e.shown->>'id') filter (where f.id is null) as missing, min(f.id) filter (where e.shown <> file_item_v1(f.id, f.size, f.type, f.name, f.sealed, f.described)) as other
      from ${table} m
      left join lateral jsonb_array_elements(m.files) as e (shown) on true
      left join files f on f.bucket = m.bucket and f.item_id = m.id and f.id = e.shown->>'id'
      where ${within(`m.bucket, m.${place}`)} and (m.marks & 32 <> 0 or m.files is not null)
        ${removable ? 'and m.removed_by is null' : ''}
      group by 1, 2, 3, 4
    ) s`,
})

export const shownFiles: Walk[] = [
  shownBy('direct_messages', 'conversation_id', { of: ['conversations', 'id'], removable: false }),
  shownBy('group_messages', 'chat', { of: ['group_chats', 'chat'], removable: true }),
  shownBy('withheld_posts', 'chat', { of: ['group_chats', 'chat'], removable: true }),
]

/**
 * Checks the bytes of each wallet. Files lie with their places, so this is one statement for all. The bytes are counted before a
 * file is made and given back after its bytes are gone, so there may be more of them for an hour, but never fewer.
 */
export const fileBytes = `
  select format('wallet_files %s', t.walletaddr) as row,
    ${wrong(when('t.bytes < t.should', `format('bytes is %s, its files have %s', t.bytes, t.should)`))}
  from (
    select u.walletaddr, sum(u.bytes) as bytes, sum(u.size) as should
    from (
      select walletaddr, bytes as bytes, 0::bigint as size from wallet_files
      union all select walletaddr, 0::bigint, size from files where blocked is distinct from 2
      union all select walletaddr, 0::bigint, size from blobs_gone
    ) u group by u.walletaddr
  ) t`
