// This walk checks the counts of reactions.

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
