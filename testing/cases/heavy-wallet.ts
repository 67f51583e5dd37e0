// This writes one wallet with the most that the limits allow of everything that a list shows, straight into the database. A list
// of the contract whose rows are not here is empty, which `testing/cases/noisy-answers.ts` reports.

import type { Db } from '../../server/src/db/pool.ts'
import { marksOf } from './heavy-marks.ts'
import { other, quotes, type Step } from './heavy-reports.ts'
import { reportsOf } from './heavy-reports.ts'
import { chatBucket, inOrder, pairBucket, tokenBucket, walletBucket } from '../../server/src/values/bucket.ts'

/** The chat that the heavy wallet owns. */
export const heavyChat = 'pier'
export const heavyHook = 'hook0'

const message = quotes(65_536)
const field = quotes(32_768)
const logo = quotes(4000)

const peopleOf = (): Step[] => [
  [
    `insert into profiles (address, name, logo) select ${other()}, to_json('n' || n)::text, to_json(${logo})::text from generate_series(1, 300) n`,
    [],
  ],
]

/** Numbers that the database has given to others already are lower. */
const firstNumber = 1_000_000
const idOf = (n: string, bucket: string) => `((${firstNumber} + ${n}) * 64 + ${bucket})`

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** The ids of its messages with the peer, of the posts of its chat, and of those that wait for a moderator. */
export const heavyMessages = (wallet: string, peer: string): number[] =>
  numbers(1, 300).map((n) => (firstNumber + n) * 64 + pairBucket(wallet, peer))
export const heavyPosts = (): number[] => numbers(1, 400).map((n) => n * 64 + chatBucket(heavyChat))
export const heldPosts = (): number[] => numbers(500, 1499).map((n) => n * 64 + chatBucket(heavyChat))

/** Writes messages with one wallet, and one message with each of many. */
function conversationsOf(wallet: string, peer: string): Step[] {
  const [a, b] = inOrder(wallet, peer)
  const bucket = pairBucket(wallet, peer)
  return [
    [
      `insert into conversations (bucket, a, b, id, began_ms, last_ms, last_id, unread_a, unread_b) values ($1, $2, $3, ${idOf('0', '$1::int')}, 1, 300, ${idOf('300', '$1::int')}, 0, 0)`,
      [bucket, a, b],
    ],
    [
      `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, nftaddr, nftid, encrypted_sym_x_key, x_access_conditions, read, ms)
       select $1::int, ${idOf('0', '$1::int')}, ${idOf('n', '$1::int')}, $2::text, $3::text, ${message}, '${heavyChat}', '1', ${field}, ${field}, true, n from generate_series(1::bigint, 300) n`,
      [bucket, wallet, peer],
    ],
    [
      `with pair as (
         select n, least($1::text, ${other()}) as a, greatest($1::text, ${other()}) as b, bucket_of(least($1::text, ${other()}) || ' ' || greatest($1::text, ${other()})) as bucket
         from generate_series(1000::bigint, 2999) n
       ), made as (
         insert into conversations (bucket, a, b, id, began_ms, last_ms, last_id) select bucket, a, b, ${idOf('n', 'bucket')}, 1, n, ${idOf('n', 'bucket')} from pair
       )
       insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, encrypted_sym_x_key, x_access_conditions, read, ms)
       select bucket, ${idOf('n', 'bucket')}, ${idOf('n', 'bucket')}, a, b, ${quotes(4096)}, ${quotes(4096)}, ${quotes(4096)}, true, n from pair`,
      [wallet],
    ],
    [
      `insert into contacts (wbucket, walletaddr, peer, alias, since_ms) select $1::int, $2::text, ${other()}, ${quotes(256)}, 1 from generate_series(1000, 10999) n`,
      [walletBucket(wallet), wallet],
    ],
  ]
}

/** Writes a community with as much of everything as it may have. */
function chatsOf(wallet: string, peer: string): Step[] {
  const bucket = chatBucket(heavyChat)
  const of = [bucket, heavyChat]
  return [
    [
      `insert into communities (bucket, chat, community, creator, social, created_ms)
       select $1::int, $2::text, $2::text, $3::text, json_agg(json_build_object('name', ${quotes(256)}, 'type', ${quotes(64)})), 1 from generate_series(1, 32)`,
      [...of, wallet],
    ],
    [
      `insert into community_profiles (bucket, chat, created_ms, words) values ($1, $2, 1, array_to_tsvector(array[$2]))`,
      of,
    ],
    [
      `insert into group_chats (bucket, chat, nftaddr, context_type, members, posted, last_ms) values ($1, $2, $2, 'community', 302, 400, 400)`,
      of,
    ],
    [
      `insert into group_messages (bucket, chat, id, fromaddr, message, ms) select $1::int, $2::text, n * 64 + $1::int, $3::text, ${message}, n from generate_series(1::bigint, 400) n`,
      [...of, wallet],
    ],
    ...marksOf(wallet, [bucket, heavyChat]),
    [
      `insert into withheld_posts (bucket, chat, id, fromaddr, message, ms, held)
       select $1::int, $2::text, n * 64 + $1::int, ${other('1')}, ${message}, n, true from generate_series(500::bigint, 1499) n`,
      of,
    ],
    [
      `insert into group_visits (bucket, chat, walletaddr, joined) select $1::int, $2::text, ${other()}, true from generate_series(1, 300) n`,
      of,
    ],
    [
      `insert into group_visits (bucket, chat, walletaddr, joined) select $1::int, $2::text, unnest($3::text[]), true`,
      [...of, [wallet, peer]],
    ],
    [
      `insert into chat_roles (bucket, chat, walletaddr, role, since_ms) select $1::int, $2::text, ${other()}, 'moderator', 1 from generate_series(1, 50) n
       union all select $1::int, $2::text, $3::text, 'owner', 1`,
      [...of, wallet],
    ],
    [
      `insert into chat_restrictions (bucket, chat, walletaddr, banned_until_ms, reason, ms)
       select $1::int, $2::text, ${other()}, ${Number.MAX_SAFE_INTEGER}, ${quotes(512)}, 1 from generate_series(1000, 1999) n`,
      of,
    ],
    [
      `insert into chat_log (bucket, chat, id, ms, actor, action, subject, reason)
       select $1::int, $2::text, n * 64 + $1::int, n, $3::text, 'ban', ${other()}, ${quotes(512)} from generate_series(1::bigint, 2000) n`,
      [...of, wallet],
    ],
    [
      `insert into chat_rules (bucket, chat, words, ms) select $1::int, $2::text, array_agg(rpad('w' || n, 64, 'x')), 1 from generate_series(1, 100) n`,
      of,
    ],
    [
      `insert into chat_commands (bucket, chat, walletaddr, word, description, ms)
       select $1::int, $2::text, ${other('n / 20 + 1')}, 'w' || n, ${quotes(200)}, 1 from generate_series(0, 199) n`,
      of,
    ],
  ]
}

/** Writes other communities, as many as a wallet may join, and comments on a token. */
function otherChatsOf(wallet: string, peer: string): Step[] {
  const name = `rpad('c' || n, 100, 'x')`
  return [
    [
      `insert into communities (bucket, chat, community, creator, created_ms) select bucket_of(${name}), ${name}, ${name}, ${other('1')}, 1 from generate_series(1, 1990) n`,
      [],
    ],
    [
      `insert into profiles (address, logo) select ${name}, to_json(${logo})::text from generate_series(1, 1990) n`,
      [],
    ],
    [
      `insert into group_chats (bucket, chat, nftaddr, context_type, members) select bucket_of(${name}), ${name}, ${name}, 'community', n from generate_series(1, 1990) n`,
      [],
    ],
    ...[wallet, peer].map((one): Step => [
      `insert into bookmarks (wbucket, walletaddr, chat, bucket, id, nftaddr, chain)
       select $1::int, $2::text, chat, bucket_of(chat), n * 64 + $1::int, chat, ${quotes(128)} from (
         select n, ${name} as chat from generate_series(1::bigint, 1990) n union all select 2000, '${heavyChat}') c`,
      [walletBucket(one), one],
    ]),
    [
      `insert into group_visits (bucket, chat, walletaddr, joined, announcements) select bucket_of(${name}), ${name}, $1::text, true, true from generate_series(1, 1990) n`,
      [wallet],
    ],
    [
      `insert into comment_threads (bucket, nftaddr, nftid, id, comments, last_ms) values ($1, '${heavyChat}', 1, 64 + $1::int, 400, 400)`,
      [tokenBucket(heavyChat, '1')],
    ],
    [
      `insert into comments (bucket, thread_id, id, fromaddr, message, ms) select $1::int, 64 + $1::int, n * 64 + $1::int, $2::text, ${message}, n from generate_series(1::bigint, 400) n`,
      [tokenBucket(heavyChat, '1'), wallet],
    ],
  ]
}

/** Writes what is a wallet's own: keys, grants, drafts. Its picture is sent (noisy-caller.ts), because its bytes are in a store. */
function belongingsOf(wallet: string): Step[] {
  const of = [walletBucket(wallet), wallet]
  const now = Date.now()
  return [
    [
      `insert into keys (wbucket, address, public_key, signature, backup, updated_ms) values ($1, $2, ${quotes(1024)}, ${quotes(16_384)}, ${quotes(16_384)}, 1)`,
      of,
    ],
    [
      `insert into drafts (wbucket, walletaddr, slot, id, toaddr, message, label, created_ms)
       select $1::int, $2::text, n, 'draft' || n, $2::text, ${message}, '', $3::bigint + n from generate_series(1, 100) n`,
      [...of, now - 1000],
    ],
    [
      `insert into api_keys (wbucket, walletaddr, slot, id, hash, label, scopes, created_ms)
       select $1::int, $2::text, n, 'key' || n, sha256(convert_to('key' || n, 'UTF8')), ${quotes(100)}, array['inbox:read'], 1 from generate_series(1, 20) n`,
      of,
    ],
    [
      `insert into incoming_hooks (wbucket, walletaddr, slot, id, hash, label, nftaddr, created_ms)
       select $1::int, $2::text, n, 'in' || n, sha256(convert_to('in' || n, 'UTF8')), ${quotes(100)}, '${heavyChat}', 1 from generate_series(1, 20) n`,
      of,
    ],
    [
      `insert into sessions (wbucket, walletaddr, id, browser, created_ms, used_ms) select $1::int, $2::text, 's' || n, 'Firefox on Linux', 1, $3::bigint from generate_series(1, 20) n`,
      [...of, now],
    ],
    [
      `insert into push_subscriptions (wbucket, walletaddr, id, endpoint, endpoint_hash, p256dh, auth, label, created_ms)
       select $1::int, $2::text, 'p' || n, 'https://127.0.0.1:1/' || n, sha256(convert_to('p' || n, 'UTF8')), 'a', 'b', ${quotes(100)}, 1 from generate_series(1, 10) n`,
      of,
    ],
    [
      `insert into webhooks (wbucket, walletaddr, slot, id, url, events, is_on, secret, public_key, private_key, created_ms)
       select $1::int, $2::text, n + 1, 'hook' || n, rpad('https://127.0.0.1:1/', 2048, '"'), array['message.direct'], false, 'a', 'b', 'c', n from generate_series(0, 4) n`,
      of,
    ],
    [
      `insert into webhook_deliveries (wbucket, walletaddr, hook, id, event, peer, ms, is_done)
       select $1::int, $2::text, '${heavyHook}', n, 'message.direct', ${other()}, $3::bigint + n, true from generate_series(1::bigint, 10000) n`,
      [...of, now - 20_000],
    ],
    [
      `insert into access_notices (wbucket, walletaddr, id, ms, action, about) select $1::int, $2::text, n, n, 'api_key_added', ${quotes(100)} from generate_series(1, 200) n`,
      of,
    ],
  ]
}

/** Stores as much as the limits allow for a wallet, and what it shares with another one. */
export async function fillHeavily(db: Db, wallet: string, peer: string): Promise<void> {
  const steps = [
    ...peopleOf(),
    ...conversationsOf(wallet, peer),
    ...chatsOf(wallet, peer),
    ...otherChatsOf(wallet, peer),
    ...belongingsOf(wallet),
    ...reportsOf(wallet),
    [`select setval('item_numbers', ${firstNumber + 10_000})`, []] satisfies Step,
  ]
  for (const [sql, values] of steps) await db.query(sql, values)
  await db.query('analyze')
}
