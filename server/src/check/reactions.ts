// These walks check the counts of reactions, and what lists show of them.

import { counted, named, when, wrong, type Walk } from './walk.ts'

/** A sealed value is not counted: it has more bytes than an emoji may have. */
const longestEmoji = 32

export const reactions: Walk = {
  table: 'reaction_counts',
  with: ['reactions'],
  key: ['bucket', 'item_id'],
  size: 500,
  faults: (within) => `
    select format('reaction_counts %s %s', coalesce(c.item_id, n.item_id), coalesce(c.value, n.value)) as row, ${wrong(
      when('c.item_id is null', `'it has reactions, but no count'`),
      named('c.bucket', 'c.item_id'),
      counted('n', 'c.n', 'coalesce(n.found, 0)'),
    )}
    from (select * from reaction_counts where ${within('bucket, item_id')}) c
    full join (
      select bucket, item_id, value, count(*) as found
      from (
        select bucket, item_id, unnest(vals) as value from reactions where ${within('bucket, item_id')} and not unseen
      ) r where octet_length(value) <= ${longestEmoji} group by bucket, item_id, value
    ) n on n.bucket = c.bucket and n.item_id = c.item_id and n.value = c.value`,
}

const items = (values: string) =>
  `'[' || string_agg(reaction_item_v1(${values}), ',' order by v.n desc, v.value) filter (where v.value is not null) || ']'`

const isMarked = '(m.marks & 2 <> 0 or m.reacted is not null)'
const isOther = `'its reacted is not what its reactions are'`

export const messageReactions: Walk = {
  table: 'conversations',
  with: ['direct_messages', 'reactions'],
  key: ['bucket', 'id'],
  size: 200,
  faults: (within) => `
    select format('direct_messages %s', s.id) as row, ${wrong(when('s.shown is distinct from s.should', isOther))}
    from (
      select v.bucket, v.id, v.shown, ${items('v.value, v.n, v.mine')} as should
      from (
        select m.bucket, m.id, e.place, m.reacted[e.place] as shown, u.value collate "C" as value, count(*) as n,
          bool_or(r.walletaddr = e.wallet) as mine
        from direct_messages m
        cross join lateral (values (1, m.fromaddr), (2, m.toaddr)) as e (place, wallet)
        left join reactions r on r.bucket = m.bucket and r.item_id = m.id and (not r.unseen or r.walletaddr = e.wallet)
        left join lateral unnest(r.vals) as u (value) on true
        where ${within('m.bucket, m.conversation_id')} and ${isMarked}
        group by 1, 2, 3, 4, 5
      ) v group by v.bucket, v.id, v.place, v.shown
    ) s`,
}

export const postReactions: Walk = {
  table: 'group_chats',
  with: ['group_messages', 'reaction_counts'],
  key: ['bucket', 'chat'],
  size: 200,
  faults: (within) => `
    select format('group_messages %s', s.id) as row, ${wrong(when('s.shown is distinct from s.should', isOther))}
    from (
      select v.bucket, v.id, v.shown, ${items('v.value, v.n, false')} as should
      from (
        select m.bucket, m.id, m.reacted as shown, k.value, k.n
        from group_messages m left join reaction_counts k on k.bucket = m.bucket and k.item_id = m.id
        where ${within('m.bucket, m.chat')} and ${isMarked}
      ) v group by v.bucket, v.id, v.shown
    ) s`,
}
