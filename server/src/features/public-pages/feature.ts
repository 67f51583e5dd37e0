import { publicReading } from '@parley/sdk/contract/public-reading.ts'
import { endpoints, feature } from '../../feature.ts'
import { serveWeb } from '../../http/web-client.ts'
import { findInvitation } from './invitation.ts'
import { handlers } from './routes.ts'
import { showPublicPage } from './show.ts'
import { tables } from './tables.ts'

/** Serves what people see without signing in: pages of chats that are open to everybody, and to what a link invites. */
export const publicPagesFeature = feature({
  endpoints: [endpoints('Public pages', publicReading, handlers)],
  pages: (app, ctx) =>
    serveWeb(app, ctx.config, {
      findInvitation: (pathname) => findInvitation(ctx, pathname),
      showPublic: showPublicPage(ctx),
      admit: (request, reply, limit) => ctx.limits.take(limit, null, request, reply),
    }),
  tables,
})
