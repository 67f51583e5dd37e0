import { expect, test } from 'vitest'
import { startService } from '../../../../testing/service.ts'

// Each new table gets a line here: what exporting and erasing a wallet do with it.
const tables: Record<string, string> = {
  api_keys: 'exported without their hashes, erased',
  bookmarks: 'exported, erased',
  buckets: 'no wallet',
  comment_threads: 'no wallet',
  comments: 'exported, erased',
  chat_log: 'exported; a year',
  chat_restrictions: 'exported; stay, or erasing would end a ban',
  chat_roles: 'exported, erased',
  chat_rules: 'no wallet',
  chain_facts: 'public facts of the chain; erased, and after a week',
  communities: 'exported; the creator is erased',
  community_tweets: 'no wallet',
  community_skeletons: 'no wallet',
  contacts: 'exported, erased',
  conversation_copies: 'of a cluster; made from conversations',
  conversations: 'one side erased, the row with the second side',
  direct_messages: 'exported; one side erased, the row with the second side',
  dm_mails: 'erased; two days',
  erasures: 'a keyed hash',
  events: 'erased; a day',
  events_forgotten: 'no wallet',
  first_contacts: 'numbers, erased; a month',
  failed_sign_ins: 'a hash; minutes',
  group_chats: 'no wallet',
  group_messages: 'exported; stay under the bare address',
  group_visits: 'exported; how many remain, as group_messages do',
  held_messages: 'not exported; under a legal hold alone, until it ends',
  idempotency_keys: 'erased; a day',
  images: 'exported, erased',
  keys: 'exported, erased',
  kysely_migration: 'no wallet',
  kysely_migration_lock: 'no wallet',
  log_readers: 'no wallet',
  mail_hours: 'no wallet',
  mail_quotas: 'erased; of the mail and network address a keyed hash, for a day',
  moderation_head: 'no wallet',
  moderation_log: 'exported as notices; stays, because it is a chain',
  name_skeletons: 'erased with names',
  names: 'exported, erased',
  operators: 'stays until whoever runs the service removes it',
  profiles: 'erased with names and images',
  rate_limits: 'recent requests; minutes',
  reports: 'exported; the reporter becomes a keyed hash, 90 days; appeals erased',
  sanctions: 'exported as notices; stays, or erasing would end a ban',
  sessions: 'exported, erased',
  settings: 'exported, erased',
  sign_outs: 'keeps earlier tokens out; a day',
  used_nonces: 'no wallet',
  wallet_usage: 'numbers of a day, kept so that erasing does not renew quotas; a day',
  wallets_seen: 'exported, erased',
  withheld_posts: 'exported as posts, erased',
  x_api_pause: 'no wallet',
}

test('of every table it is known what exporting and erasing a wallet do with it', async () => {
  await using service = await startService()
  const found = await service.ctx.db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by tablename collate "C"`,
  )
  expect(found.map(({ name }) => name).filter((name) => !(name in tables))).toEqual([])
})
