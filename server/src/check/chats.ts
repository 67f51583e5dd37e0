// These walks check group chats, their messages, visits and members.

import { lastPost, lastPostVersion } from '../messages/group-message.ts'
import { copyFaults } from './copies.ts'
import { brokenEdits, columnsOfEdits, editFaults } from './edits.ts'
import { counted, named, placed, wrong, type Walk, when } from './walk.ts'

export const chats: Walk = {
  table: 'group_chats',
  with: ['group_messages'],
  key: ['bucket', 'chat'],
  size: 200,
  faults: (within) => `
    with n as (
      select bucket, chat, count(*) as posted, max(id) as last_id, max(ms) as last_ms,
        min(id) filter (where id % 64 <> bucket) as misplaced, min(id) filter (where ms <= ms_before) as early,
        ${brokenEdits('removed_by is not null')}
      from (
        select bucket, chat, id, ms, removed_by, ${columnsOfEdits},
          lag(ms) over (partition by bucket, chat order by id) as ms_before
        from group_messages where ${within('bucket, chat')}
      ) m group by bucket, chat
    )
    select format('group_chats %s', coalesce(c.chat, n.chat)) as row, ${wrong(
      when('c.chat is null', `'it has messages, but no row'`),
      placed('c.bucket', 'chat_bucket(c.chat)'),
      when('n.misplaced is not null', `format('message %s names another bucket', n.misplaced)`),
      when('n.early is not null', `format('message %s is not later than the one before it', n.early)`),
      ...editFaults,
      when('c.last_ms < n.last_ms', `'last_ms is before its newest message'`),
      counted('posted', 'c.posted', 'c.expired + coalesce(n.posted, 0)'),
      ...copyFaults(lastPost('m.ms'), lastPostVersion),
      when('c.last_fromaddr <> m.fromaddr', `format('last_fromaddr is not the sender of message %s', m.id)`),
    )}
    from (select * from group_chats where ${within('bucket, chat')}) c
    full join n on n.bucket = c.bucket and n.chat = c.chat
    left join group_messages m on m.bucket = c.bucket and m.chat = c.chat and m.id = c.last_id`,
}

// Messages and visits are put in the order of time, so that one pass counts what was posted before
// each visit. A visit comes after the message whose time it has.
export const visits: Walk = {
  table: 'group_chats',
  with: ['group_messages', 'group_visits'],
  key: ['bucket', 'chat'],
  size: 200,
  faults: (within) => `
    select format('group_visits %s %s', chat, walletaddr) as row, ${wrong(
      when('not is_visit', `'it has messages, but no row'`),
      when('is_visit and seen > 0 and ms < 0', `'it has seen messages, but has not entered'`),
      placed('bucket', 'chat_bucket(chat)'),
      counted('posted', 'posted', 'expired_own + all_own'),
      counted('seen', 'greatest(seen, expired)', 'expired + all_before'),
      // The seen id may be that of a message that retention has deleted.
      counted('seen_id', 'seen_id', 'coalesce(last_before, case when expired > 0 then seen_id else 0 end)'),
      counted('seen_own', 'greatest(seen_own, expired_own)', 'expired_own + own_before'),
    )}
    from (
      select *, count(*) filter (where not is_visit) over (partition by bucket, chat order by ms, is_visit) as all_before,
        max(id) over (partition by bucket, chat order by ms, is_visit) as last_before,
        count(*) filter (where not is_visit) over (partition by bucket, chat, walletaddr order by ms, is_visit) as own_before,
        count(*) filter (where not is_visit) over (partition by bucket, chat, walletaddr) as all_own,
        count(*) filter (where is_visit) over (partition by bucket, chat, walletaddr) as has_row
      from (
        select bucket, chat, id, fromaddr as walletaddr, ms, false as is_visit, null::bigint as posted,
          null::bigint as seen_id, null::bigint as seen, null::bigint as seen_own,
          null::bigint as expired_own, null::bigint as expired
        from group_messages where ${within('bucket, chat')}
        union all
        select v.bucket, v.chat, null, v.walletaddr, coalesce(v.entry_ms, -1), true, v.posted, v.seen_id, v.seen, v.seen_own,
          v.expired_own, coalesce(c.expired, 0)
        from (select * from group_visits where ${within('bucket, chat')}) v
        left join group_chats c on c.bucket = v.bucket and c.chat = v.chat
      ) r
    ) r
    where is_visit or (has_row = 0 and own_before = 1)`,
}

/** Checks the posts that are withheld, which nobody but their authors see. */
export const withheld: Walk = {
  table: 'group_chats',
  with: ['group_visits', 'withheld_posts'],
  key: ['bucket', 'chat'],
  size: 200,
  faults: (within) => `
    select format('group_visits %s %s', coalesce(v.chat, n.chat), coalesce(v.walletaddr, n.fromaddr)) as row, ${wrong(
      when('v.chat is null', `'it has withheld messages, but no row'`),
      when('n.misplaced is not null', `format('message %s names another bucket', n.misplaced)`),
      when('v.seen_withheld > v.withheld', `'it has seen more withheld messages than there are'`),
      when('v.withheld_id < n.last_id', `'withheld_id is before its newest one'`),
      counted('withheld', 'v.withheld', 'coalesce(n.withheld, 0)'),
    )}
    from (select * from group_visits where ${within('bucket, chat')}) v
    full join (
      select bucket, chat, fromaddr, count(*) as withheld, max(id) as last_id,
        min(id) filter (where id % 64 <> bucket) as misplaced
      from withheld_posts where ${within('bucket, chat')} group by bucket, chat, fromaddr
    ) n on n.bucket = v.bucket and n.chat = v.chat and n.fromaddr = v.walletaddr`,
}

/**
 * Checks how many wallets have joined each chat. Members lie with their wallets, so no page of chats has its own: this is one
 * statement for all.
 */
export const members = `
  select format('group_chats %s', coalesce(c.chat, b.chat)) as row, ${wrong(
    when('c.chat is null', `'it has members, but no row'`),
    counted('members', 'c.members', 'coalesce(b.members, 0)'),
  )}
  from group_chats c
  full join (select bucket, chat, count(*) as members from bookmarks group by bucket, chat) b
    on b.bucket = c.bucket and b.chat = c.chat
  where c.members is distinct from b.members`

/** Checks `joined` of the visits, which lies with the chat, against the wallets that have joined it. */
export const joined = `
  select format('group_visits %s %s', coalesce(v.chat, b.chat), coalesce(v.walletaddr, b.walletaddr)) as row, ${wrong(
    when('b.chat is null', `'joined is true, but there is no bookmark'`),
    when('v.chat is null', `'there is a bookmark, but joined is not true'`),
  )}
  from (select * from group_visits where joined) v
  full join bookmarks b on b.bucket = v.bucket and b.chat = v.chat and b.walletaddr = v.walletaddr
  where v.chat is null or b.chat is null`

export const comments: Walk = {
  table: 'comment_threads',
  with: ['comments'],
  key: ['bucket', 'id'],
  size: 500,
  faults: (within) => `
    select format('comment_threads %s', coalesce(t.id, n.thread_id)) as row, ${wrong(
      when('t.id is null', `'it has comments, but no row'`),
      placed('t.bucket', `bucket_of(t.nftaddr || ' ' || t.nftid)`),
      named('t.bucket', 't.id'),
      when('n.misplaced is not null', `format('comment %s names another bucket', n.misplaced)`),
      when('n.early is not null', `format('comment %s is not later than the one before it', n.early)`),
      when('t.last_ms < n.last_ms', `'last_ms is before its newest comment'`),
      counted('comments', 't.comments', 'coalesce(n.comments, 0)'),
    )}
    from (select * from comment_threads where ${within('bucket, id')}) t
    full join (
      select bucket, thread_id, count(*) filter (where not withheld) as comments, max(ms) as last_ms,
        min(id) filter (where id % 64 <> bucket) as misplaced, min(id) filter (where ms <= ms_before) as early
      from (
        select bucket, thread_id, id, ms, withheld, lag(ms) over (partition by bucket, thread_id order by id) as ms_before
        from comments where ${within('bucket, thread_id')}
      ) c group by bucket, thread_id
    ) n on n.bucket = t.bucket and n.thread_id = t.id`,
}
