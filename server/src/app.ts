import { account } from '@parley/sdk/contract/account.ts'
import { drafts } from '@parley/sdk/contract/drafts.ts'
import { apiKeys } from '@parley/sdk/contract/api-keys.ts'
import { bots } from '@parley/sdk/contract/bots.ts'
import { bookmarks } from '@parley/sdk/contract/bookmarks.ts'
import { chatModeration } from '@parley/sdk/contract/chat-moderation.ts'
import { commands } from '@parley/sdk/contract/commands.ts'
import { comments } from '@parley/sdk/contract/comments.ts'
import { communities } from '@parley/sdk/contract/communities.ts'
import { consent } from '@parley/sdk/contract/consent.ts'
import { directMessages } from '@parley/sdk/contract/direct-messages.ts'
import { dmPolicy } from '@parley/sdk/contract/dm-policy.ts'
import { events } from '@parley/sdk/contract/events.ts'
import { groupChats } from '@parley/sdk/contract/group-chats.ts'
import { health } from '@parley/sdk/contract/health.ts'
import { images } from '@parley/sdk/contract/images.ts'
import { incomingHooks } from '@parley/sdk/contract/incoming-hooks.ts'
import { inbox } from '@parley/sdk/contract/inbox.ts'
import { keys } from '@parley/sdk/contract/keys.ts'
import { moderation } from '@parley/sdk/contract/moderation.ts'
import { names } from '@parley/sdk/contract/names.ts'
import { nfts } from '@parley/sdk/contract/nfts.ts'
import { notifications } from '@parley/sdk/contract/notifications.ts'
import { ownership } from '@parley/sdk/contract/ownership.ts'
import { ownSide } from '@parley/sdk/contract/own-side.ts'
import { readState } from '@parley/sdk/contract/read-state.ts'
import { reportQueue } from '@parley/sdk/contract/report-queue.ts'
import { reports } from '@parley/sdk/contract/reports.ts'
import { service } from '@parley/sdk/contract/service.ts'
import { settings } from '@parley/sdk/contract/settings.ts'
import { sessions } from '@parley/sdk/contract/sessions.ts'
import { signIn } from '@parley/sdk/contract/sign-in.ts'
import { status } from '@parley/sdk/contract/status.ts'
import { telegram } from '@parley/sdk/contract/telegram.ts'
import { webhooks } from '@parley/sdk/contract/webhooks.ts'
import { trust } from '@parley/sdk/contract/trust.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import * as accountRoutes from './features/account/routes.ts'
import * as apiKeyRoutes from './features/api-keys/routes.ts'
import * as botRoutes from './features/bots/routes.ts'
import * as draftRoutes from './features/drafts/routes.ts'
import * as bookmarkRoutes from './features/bookmarks/routes.ts'
import * as chatModerationRoutes from './features/chat-moderation/routes.ts'
import * as commandRoutes from './features/commands/routes.ts'
import * as commentRoutes from './features/comments/routes.ts'
import * as communityRoutes from './features/communities/routes.ts'
import * as policyRoutes from './features/consent/policy-routes.ts'
import * as consentRoutes from './features/consent/routes.ts'
import * as dm from './features/direct-messages/routes.ts'
import * as eventRoutes from './features/events/routes.ts'
import * as groupRoutes from './features/group-chats/routes.ts'
import * as healthRoutes from './features/health/routes.ts'
import * as imageRoutes from './features/images/routes.ts'
import * as hookRoutes from './features/incoming-hooks/routes.ts'
import * as inboxRoutes from './features/inbox/routes.ts'
import { findInvitation } from './features/invitations/find.ts'
import * as keyRoutes from './features/keys/routes.ts'
import * as moderationRoutes from './features/moderation/routes.ts'
import * as nameRoutes from './features/names/routes.ts'
import * as notificationRoutes from './features/notifications/routes.ts'
import * as telegramRoutes from './features/notifications/telegram-routes.ts'
import { serveUnsubscribe } from './features/notifications/unsubscribe.ts'
import * as nftRoutes from './features/nfts/routes.ts'
import * as ownershipRoutes from './features/ownership/routes.ts'
import * as ownSideRoutes from './features/own-side/routes.ts'
import * as readStateRoutes from './features/read-state/routes.ts'
import * as reportRoutes from './features/reports/routes.ts'
import * as serviceRoutes from './features/service/routes.ts'
import { serveConfirmation } from './features/settings/pages.ts'
import * as settingsRoutes from './features/settings/routes.ts'
import * as signInRoutes from './features/sign-in/routes.ts'
import * as sessionRoutes from './features/sign-in/session-routes.ts'
import * as statusRoutes from './features/status/routes.ts'
import * as trustRoutes from './features/trust/routes.ts'
import * as webhookRoutes from './features/webhooks/routes.ts'
import { serve } from './http/endpoint.ts'
import { serveMetrics } from './http/metrics-route.ts'
import { serveDocs } from './http/openapi.ts'
import { createServer } from './http/server.ts'
import { serveWeb } from './http/web-client.ts'

/** Builds the whole HTTP service, without listening. */
export async function createApp(ctx: Context): Promise<FastifyInstance> {
  const app = await createServer(ctx)
  await serveDocs(app, ctx.config)
  serveMetrics(app, ctx)

  serve(app, ctx, 'Sign-in', signIn, signInRoutes.handlers)
  serve(app, ctx, 'Sign-in', sessions, sessionRoutes.handlers)
  serve(app, ctx, 'API keys', apiKeys, apiKeyRoutes.handlers)
  serve(app, ctx, 'Bots', bots, botRoutes.handlers)
  serve(app, ctx, 'Drafts', drafts, draftRoutes.handlers)
  serve(app, ctx, 'Bots', incomingHooks, hookRoutes.handlers)
  serve(app, ctx, 'Direct messages', directMessages, dm.handlers)
  serve(app, ctx, 'Direct messages', ownSide, ownSideRoutes.handlers)
  serve(app, ctx, 'Group chats', groupChats, groupRoutes.handlers)
  serve(app, ctx, 'Group chats', commands, commandRoutes.handlers)
  serve(app, ctx, 'Chat moderation', chatModeration, chatModerationRoutes.handlers)
  serve(app, ctx, 'Communities', communities, communityRoutes.handlers)
  serve(app, ctx, 'Bookmarks', bookmarks, bookmarkRoutes.handlers)
  serve(app, ctx, 'Inbox', inbox, inboxRoutes.handlers)
  serve(app, ctx, 'Inbox', readState, readStateRoutes.handlers)
  serve(app, ctx, 'Contacts', consent, consentRoutes.handlers)
  serve(app, ctx, 'Contacts', dmPolicy, policyRoutes.handlers)
  serve(app, ctx, 'Images', images, imageRoutes.handlers)
  serve(app, ctx, 'Names', names, nameRoutes.handlers)
  serve(app, ctx, 'Keys', keys, keyRoutes.handlers)
  serve(app, ctx, 'Comments', comments, commentRoutes.handlers)
  serve(app, ctx, 'Ownership', ownership, ownershipRoutes.handlers)
  serve(app, ctx, 'NFTs', nfts, nftRoutes.handlers)
  serve(app, ctx, 'Trust', trust, trustRoutes.handlers)
  serve(app, ctx, 'Moderation', reports, reportRoutes.handlers)
  serve(app, ctx, 'Moderation', moderation, moderationRoutes.handlers)
  serve(app, ctx, 'Moderation', reportQueue, moderationRoutes.queueHandlers)
  serve(app, ctx, 'Settings', settings, settingsRoutes.handlers)
  serve(app, ctx, 'Notifications', notifications, notificationRoutes.handlers)
  serve(app, ctx, 'Notifications', telegram, telegramRoutes.handlers)
  serve(app, ctx, 'Webhooks', webhooks, webhookRoutes.handlers)
  serve(app, ctx, 'Account', account, accountRoutes.handlers)
  serve(app, ctx, 'Health', health, healthRoutes.handlers)
  serve(app, ctx, 'Health', status, statusRoutes.handlers)
  serve(app, ctx, 'Service', service, serviceRoutes.handlers)
  await serveConfirmation(app, ctx)
  await serveUnsubscribe(app, ctx)
  serve(app, ctx, 'Live events', events, eventRoutes.handlers)

  app.addHook('preClose', async () => ctx.events.endStreams())

  await serveWeb(app, ctx.config, (pathname) => findInvitation(ctx, pathname))
  await app.ready()
  return app
}
