import { bookmarks } from '@parley/sdk/contract/bookmarks.ts'
import { communities } from '@parley/sdk/contract/communities.ts'
import { directMessages } from '@parley/sdk/contract/direct-messages.ts'
import { events } from '@parley/sdk/contract/events.ts'
import { groupChats } from '@parley/sdk/contract/group-chats.ts'
import { inbox } from '@parley/sdk/contract/inbox.ts'
import { signIn } from '@parley/sdk/contract/sign-in.ts'
import type { FastifyInstance } from 'fastify'
import * as bookmarkRoutes from './bookmarks/routes.ts'
import * as communityRoutes from './communities/routes.ts'
import type { Context } from './core/context.ts'
import { serveDocs } from './core/docs.ts'
import { deleteOldEvents } from './core/event-log.ts'
import { createServer } from './core/http.ts'
import { serve } from './core/serve.ts'
import { deleteExpiredKeys } from './core/idempotency.ts'
import * as dm from './direct-messages/routes.ts'
import * as eventRoutes from './events/routes.ts'
import * as groupRoutes from './group-chats/routes.ts'
import * as inboxRoutes from './inbox/routes.ts'
import * as signInRoutes from './sign-in/routes.ts'
import { deleteExpiredNonces } from './sign-in/store.ts'

/** What is forgotten when its time is over. */
export const chores = [deleteExpiredKeys, deleteExpiredNonces, deleteOldEvents]

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
  serve(app, ctx, 'Live events', events, eventRoutes.handlers)

  app.addHook('preClose', async () => ctx.events.endStreams())

  await app.ready()
  return app
}
