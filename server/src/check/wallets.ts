// These walks check what belongs to wallets: where each row lies, and what `profiles` says about names and pictures.

import { bucketOfId } from './files.ts'
import { named, placed, wrong, type Walk, when } from './walk.ts'

/** Checks only the place of each row of a table, and the conditions that are given besides, of the row `r` and what is joined. */
const placedBy = (
  table: string,
  key: [Walk['key'][0], string],
  place: string,
  id: string | undefined,
  label: string,
  more: string[] = [],
  join = '',
): Walk => ({
  table,
  key: key as Walk['key'],
  size: 5000,
  faults: (within) => `
    select format('${table} %s', ${label}) as row, ${wrong(
      placed(`r.${key[0]}`, place),
      ...(id === undefined ? [] : [named(`r.${key[0]}`, id)]),
      ...more,
    )}
    from ${table} r ${join} where ${within(key.map((column) => `r.${column}`).join(', '))}`,
})

const profileOf = (column: string, address: string) =>
  `(select p.${column} from profiles p where p.address = ${address})`

export const wallets: Walk[] = [
  placedBy('names', ['wbucket', 'address'], 'bucket_of(r.address)', 'r.id', 'r.id', [
    when(
      `${profileOf('name', 'r.address')} is distinct from to_json(r.name)::text`,
      `'profiles has another name'`,
    ),
  ]),
  {
    ...placedBy(
      'images',
      ['wbucket', 'addr'],
      'bucket_of(r.addr)',
      'r.id',
      'r.id',
      [
        when(`${profileOf('logo', 'r.addr')} is null`, `'profiles has no small picture'`),
        when(`r.wbucket <> (${bucketOfId('r.file')})`, `'the id of its bytes names another bucket'`),
        when('g.id is not null', `'its bytes are being deleted'`),
      ],
      'left join blobs_gone g on g.bucket = r.wbucket and g.id = r.file',
    ),
    with: ['blobs_gone'],
  },
  placedBy('keys', ['wbucket', 'address'], 'bucket_of(r.address)', undefined, 'r.address'),
  placedBy('sessions', ['wbucket', 'walletaddr'], 'bucket_of(r.walletaddr)', undefined, 'r.id'),
  placedBy('settings', ['wbucket', 'walletaddr'], 'bucket_of(r.walletaddr)', 'r.id', 'r.id'),
  placedBy('bookmarks', ['wbucket', 'walletaddr'], 'bucket_of(r.walletaddr)', 'r.id', 'r.id', [
    when('r.bucket <> chat_bucket(r.chat)', `'it names another bucket than that of its chat'`),
  ]),
  placedBy('first_contacts', ['wbucket', 'walletaddr'], 'bucket_of(r.walletaddr)', undefined, 'r.walletaddr'),
  placedBy('contacts', ['wbucket', 'walletaddr'], 'bucket_of(r.walletaddr)', undefined, 'r.peer'),
  placedBy('wallet_usage', ['wbucket', 'walletaddr'], 'bucket_of(r.walletaddr)', undefined, 'r.walletaddr'),
  placedBy('wallet_files', ['wbucket', 'walletaddr'], 'bucket_of(r.walletaddr)', undefined, 'r.walletaddr'),
  placedBy('communities', ['bucket', 'chat'], 'bucket_of(r.chat)', undefined, 'r.chat'),
  // Events about messages lie with the conversation or chat, others with the wallet.
  placedBy(
    'events',
    ['bucket', 'id'],
    `case when r.event->>'type' in ('reacted-mine', 'edited') then (r.event->>'id')::bigint % 64 when r.walletaddr like 'chat %' and not r.event ?| '{pairs,toaddr}' then chat_bucket(split_part(r.walletaddr, ' ', 2))
      else bucket_of(case when r.event ? 'pairs' then r.event#>>'{pairs,0,0}' || ' ' || (r.event#>>'{pairs,0,1}')
      when r.event ? 'toaddr' then ${pair()} else r.walletaddr end) end`,
    'r.id',
    'r.id',
  ),
  {
    table: 'profiles',
    onlyOn: 'machine',
    key: ['address'],
    size: 5000,
    faults: (within) => `
      select format('profiles %s', p.address) as row, ${wrong(
        when(
          `p.name is not null and not exists (select 1 from names where wbucket = bucket_of(p.address) and address = p.address)`,
          `'it has a name that names does not have'`,
        ),
        when(
          `p.logo is not null and not exists (select 1 from images where wbucket = bucket_of(p.address) and addr = p.address)`,
          `'it has a small picture, but images has none'`,
        ),
      )}
      from profiles p where ${within('p.address')}`,
  },
]

function pair(): string {
  const [one, other] = [`(r.event->>'fromaddr') collate "C"`, `(r.event->>'toaddr') collate "C"`]
  return `least(${one}, ${other}) || ' ' || greatest(${one}, ${other})`
}
