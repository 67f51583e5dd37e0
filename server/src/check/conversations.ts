// These walks check conversations and their messages.

import { lastItem, lastItemVersion } from '../messages/direct-message.ts'
import { counted, named, placed, wrong, type Walk, when } from './walk.ts'
import { copyFaults } from './copies.ts'
import { brokenEdits, columnsOfEdits, editFaults } from './edits.ts'

export const conversations: Walk = {
  table: 'conversations',
  with: ['direct_messages'],
  key: ['bucket', 'id'],
  size: 500,
  faults: (within) => `
    with c as materialized (
      select * from conversations where ${within('bucket, id')}
    ), m as (
      select bucket, conversation_id, max(id) as last_id, max(ms) as last_ms,
        count(*) filter (where toaddr = a and id > erased_a and not read and not hidden_from_recipient) as unread_a,
        count(*) filter (where toaddr = b and id > erased_b and not read and a <> b and not hidden_from_recipient) as unread_b,
        min(id) filter (where toaddr = a and id > erased_a and not read and not hidden_from_recipient) as since_a,
        min(id) filter (where toaddr = b and id > erased_b and not read and a <> b and not hidden_from_recipient) as since_b,
        min(id) filter (where id % 64 <> bucket) as misplaced,
        min(id) filter (where least(fromaddr, toaddr) <> a or greatest(fromaddr, toaddr) <> b) as foreign_id,
        min(id) filter (where ms <= ms_before) as early,
        min(id) filter (where hidden_from_recipient and not withheld and not read) as ignored,
        min(id) filter (where withheld and not hidden_from_recipient) as shown,
        min(id) filter (where withheld and not read and id > case when toaddr = a then erased_a else erased_b end
          and coalesce(id < case when toaddr = a then withheld_since_a else withheld_since_b end, true)) as early_withheld,
        min(id) filter (where hidden_from_sender and hidden_from_recipient) as unseen,
        ${brokenEdits('hidden_from_sender')}
      from (
        select m.*, c.a, c.b, c.erased_a, c.erased_b, c.withheld_since_a, c.withheld_since_b,
          lag(m.ms) over (partition by m.bucket, m.conversation_id order by m.id) as ms_before
        from (
          select bucket, conversation_id, id, fromaddr, toaddr, read, hidden_from_sender, hidden_from_recipient, withheld, ms,
            ${columnsOfEdits}
          from direct_messages
          where ${within('bucket, conversation_id')}
        ) m left join c on c.bucket = m.bucket and c.id = m.conversation_id
      ) m group by bucket, conversation_id
    )
    select format('conversations %s', coalesce(c.id, n.conversation_id)) as row, ${wrong(
      when('c.id is null', `'it has messages, but no row'`),
      placed('c.bucket', `bucket_of(c.a || ' ' || c.b)`),
      named('c.bucket', 'c.id'),
      when('n.misplaced is not null', `format('message %s names another bucket', n.misplaced)`),
      when('n.foreign_id is not null', `format('message %s is of other wallets', n.foreign_id)`),
      when('n.early is not null', `format('message %s is not later than the one before it', n.early)`),
      when(
        'n.ignored is not null',
        `format('message %s is hidden from its recipient, but unread', n.ignored)`,
      ),
      when('n.shown is not null', `format('message %s is withheld, but not hidden', n.shown)`),
      when(
        'n.early_withheld is not null',
        `format('withheld_since is after message %s, which is withheld and unread', n.early_withheld)`,
      ),
      when('n.unseen is not null', `format('message %s is hidden from both', n.unseen)`),
      ...editFaults,
      when('c.last_ms < n.last_ms', `'last_ms is before its newest message'`),
      counted('unread_a', 'c.unread_a', 'coalesce(n.unread_a, 0)'),
      counted('unread_b', 'c.unread_b', 'coalesce(n.unread_b, 0)'),
      when(
        'n.since_a < c.unread_since_a',
        `format('unread_since_a is after message %s, which is unread', n.since_a)`,
      ),
      when(
        'n.since_b < c.unread_since_b',
        `format('unread_since_b is after message %s, which is unread', n.since_b)`,
      ),
      ...copyFaults(lastItem('m.ms'), lastItemVersion),
      when('c.last_read <> m.read', `format('last_read is not the flag of message %s', m.id)`),
      when(
        'c.last_is_from_a <> (m.fromaddr = c.a)',
        `format('last_is_from_a is not the sender of message %s', m.id)`,
      ),
    )}
    from c full join m n on n.bucket = c.bucket and n.conversation_id = c.id
    left join direct_messages m on m.bucket = c.bucket and m.conversation_id = c.id and m.id = c.last_id`,
}
