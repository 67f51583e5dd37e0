import { bookmarks } from '@parley/sdk/contract/bookmarks.ts'
import { communities } from '@parley/sdk/contract/communities.ts'
import { directMessages } from '@parley/sdk/contract/direct-messages.ts'
import { groupChats } from '@parley/sdk/contract/group-chats.ts'
import { images } from '@parley/sdk/contract/images.ts'
import { inbox } from '@parley/sdk/contract/inbox.ts'
import { names } from '@parley/sdk/contract/names.ts'
import { settings } from '@parley/sdk/contract/settings.ts'
import { signIn } from '@parley/sdk/contract/sign-in.ts'
import type { FastifyInstance } from 'fastify'
import { parseCronItems } from 'graphile-worker'
import * as bookmarkRoutes from './bookmarks/routes.ts'
import * as communityRoutes from './communities/routes.ts'
import type { Context } from './core/context.ts'
import { serveDocs } from './core/docs.ts'
import { createServer } from './core/http.ts'
import { deleteExpiredKeys } from './core/idempotency.ts'
import { deleteDeadJobs, type Tasks } from './core/jobs.ts'
import { serve } from './core/serve.ts'
import * as dm from './direct-messages/routes.ts'
import * as groupRoutes from './group-chats/routes.ts'
import * as imageRoutes from './images/routes.ts'
import * as inboxRoutes from './inbox/routes.ts'
import * as nameRoutes from './names/routes.ts'
import { deleteExpiredTurns } from './notifications/store.ts'
import * as notifications from './notifications/tasks.ts'
import { serveUnsubscribe } from './notifications/unsubscribe.ts'
import { serveConfirmation } from './settings/pages.ts'
import { deleteExpiredQuotas } from './settings/quotas.ts'
import * as settingsRoutes from './settings/routes.ts'
import * as signInRoutes from './sign-in/routes.ts'
import { deleteExpiredNonces } from './sign-in/store.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'forget-expired': object
    }
  }
}

/** What is forgotten when its time is over. */
const chores = [
  deleteExpiredKeys,
  deleteExpiredNonces,
  deleteExpiredQuotas,
  deleteExpiredTurns,
  deleteDeadJobs,
]

/** What is done beside requests. */
export const tasks: Tasks = {
  ...notifications.tasks,
  'forget-expired': ({ db }) => Promise.all(chores.map((chore) => chore(db))),
}

const hour = 3_600_000

/** What is done at set times (UTC), by one instance; and afterwards, when none ran at that time. */
export const crontab = parseCronItems([
  { task: 'forget-expired', match: '7 * * * *', options: { backfillPeriod: hour, jobKey: 'forget-expired' } },
  { task: 'send-daily-summaries', match: '0 8 * * *', options: { backfillPeriod: 12 * hour } },
])

/** Builds the whole HTTP service, without listening. */
export async function createApp(ctx: Context): Promise<FastifyInstance> {
  const app = await createServer(ctx)
  await serveDocs(app, ctx.config)

  serve(app, ctx, 'Sign-in', signIn, signInRoutes.handlers)
  serve(app, ctx, 'Direct messages', directMessages, dm.handlers)
  serve(app, ctx, 'Group chats', groupChats, groupRoutes.handlers)
  serve(app, ctx, 'Communities', communities, communityRoutes.handlers)
  serve(app, ctx, 'Bookmarks', bookmarks, bookmarkRoutes.handlers)
  serve(app, ctx, 'Inbox', inbox, inboxRoutes.handlers)
  serve(app, ctx, 'Images', images, imageRoutes.handlers)
  serve(app, ctx, 'Names', names, nameRoutes.handlers)
  serve(app, ctx, 'Settings', settings, settingsRoutes.handlers)
  await serveConfirmation(app, ctx)
  await serveUnsubscribe(app, ctx)

  await app.ready()
  return app
}
