import { account } from '@parley/sdk/contract/account.ts'
import { bookmarks } from '@parley/sdk/contract/bookmarks.ts'
import { communities } from '@parley/sdk/contract/communities.ts'
import { comments } from '@parley/sdk/contract/comments.ts'
import { directMessages } from '@parley/sdk/contract/direct-messages.ts'
import { events } from '@parley/sdk/contract/events.ts'
import { groupChats } from '@parley/sdk/contract/group-chats.ts'
import { health } from '@parley/sdk/contract/health.ts'
import { images } from '@parley/sdk/contract/images.ts'
import { inbox } from '@parley/sdk/contract/inbox.ts'
import { keys } from '@parley/sdk/contract/keys.ts'
import { names } from '@parley/sdk/contract/names.ts'
import { settings } from '@parley/sdk/contract/settings.ts'
import { signIn } from '@parley/sdk/contract/sign-in.ts'
import type { FastifyInstance } from 'fastify'
import * as accountRoutes from './account/routes.ts'
import * as bookmarkRoutes from './bookmarks/routes.ts'
import * as communityRoutes from './communities/routes.ts'
import { ownership } from '@parley/sdk/contract/ownership.ts'
import * as commentRoutes from './comments/routes.ts'
import type { Context } from './core/context.ts'
import { serveDocs } from './core/docs.ts'
import { createServer } from './core/http.ts'
import { serveMetrics } from './core/metrics.ts'
import { serve } from './core/serve.ts'
import { serveWeb } from './core/web.ts'
import * as dm from './direct-messages/routes.ts'
import * as eventRoutes from './events/routes.ts'
import * as groupRoutes from './group-chats/routes.ts'
import * as healthRoutes from './health/routes.ts'
import * as imageRoutes from './images/routes.ts'
import * as inboxRoutes from './inbox/routes.ts'
import * as keyRoutes from './keys/routes.ts'
import * as nameRoutes from './names/routes.ts'
import * as ownershipRoutes from './ownership/routes.ts'
import { serveUnsubscribe } from './notifications/unsubscribe.ts'
import { serveConfirmation } from './settings/pages.ts'
import * as settingsRoutes from './settings/routes.ts'
import * as signInRoutes from './sign-in/routes.ts'

/** Builds the whole HTTP service, without listening. */
export async function createApp(ctx: Context): Promise<FastifyInstance> {
  const app = await createServer(ctx)
  await serveDocs(app, ctx.config)
  serveMetrics(app, ctx.config)

  serve(app, ctx, 'Sign-in', signIn, signInRoutes.handlers)
  serve(app, ctx, 'Direct messages', directMessages, dm.handlers)
  serve(app, ctx, 'Group chats', groupChats, groupRoutes.handlers)
  serve(app, ctx, 'Communities', communities, communityRoutes.handlers)
  serve(app, ctx, 'Bookmarks', bookmarks, bookmarkRoutes.handlers)
  serve(app, ctx, 'Inbox', inbox, inboxRoutes.handlers)
  serve(app, ctx, 'Images', images, imageRoutes.handlers)
  serve(app, ctx, 'Names', names, nameRoutes.handlers)
  serve(app, ctx, 'Keys', keys, keyRoutes.handlers)
  serve(app, ctx, 'Comments', comments, commentRoutes.handlers)
  serve(app, ctx, 'Ownership', ownership, ownershipRoutes.handlers)
  serve(app, ctx, 'Settings', settings, settingsRoutes.handlers)
  serve(app, ctx, 'Account', account, accountRoutes.handlers)
  serve(app, ctx, 'Health', health, healthRoutes.handlers)
  await serveConfirmation(app, ctx)
  await serveUnsubscribe(app, ctx)
  serve(app, ctx, 'Live events', events, eventRoutes.handlers)

  app.addHook('preClose', async () => ctx.events.endStreams())

  await serveWeb(app, ctx.config)
  await app.ready()
  return app
}
