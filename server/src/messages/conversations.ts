// Selects the conversations of the wallet $1, each with its newest message, or with the SQL `found` of it.
//
// What an inbox shows is made from the copy of the last message where that is fresh. Else the message is searched: one index
// probe, however long the history is. The probe orders by its index's first column too, so that the planner uses that index
// (features/direct-messages/lists.ts). It returns an array, because the nodes of a cluster have other types of rows. All this
// stands in a subquery with `offset 0`: so the planner does not repeat the probe wherever its result is used, and a cluster adds
// names and pictures where the rows of all nodes come together.

import { lastItemVersion, previewColumns } from './direct-message.ts'
import { isFresh } from './columns.ts'
import { conversationsOf, notHiddenFrom, type View } from './shared-sql.ts'

/** Selects those for which `which` holds. `found` is SQL over a message `m`. */
export const conversations = (found: string, which: string, view?: View) => `
  select *, case when is_fresh then null else (
    select array[${found}]
    from (
      select ${previewColumns('$1')} from direct_messages m
      where m.bucket = c.bucket and m.conversation_id = c.id and m.id > c.erased and ${notHiddenFrom('$1')}
      order by m.bucket desc, m.conversation_id desc, m.id desc limit 1
    ) m
  ) end as found
  from (
    select *, ${isFresh(lastItemVersion)} and c.last_id > c.erased as is_fresh
    from (${conversationsOf('$1', view)}) c where ${which}
  ) c`

/** Only requests whose last message is from the peer are shown. */
export const isShown = (view: View | undefined, isTheirs: string) =>
  `(c.is_fresh or c.found is not null)${view === 'requests' ? ` and ${isTheirs}` : ''}`

const isRequest = isShown('requests', 'coalesce(found[1] = peer, last_is_theirs)')

/** Counts what is unread in rows of requests. */
export const unreadIn = (rows: string) => `
  select coalesce(sum(unread), 0)::bigint as count from (${rows} offset 0) c where ${isRequest}`

/** Counts what is unread in requests. */
export const unreadRequests = unreadIn(conversations('m.fromaddr', 'unread > 0', 'requests'))

/** Selects the requests of a wallet, each with its bucket and the id of its conversation. */
export const requests = `
  select bucket, id from (${conversations('m.fromaddr', 'true', 'requests')} offset 0) c where ${isRequest}`
