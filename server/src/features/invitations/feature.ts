import { feature } from '../../feature.ts'
import { serveWeb } from '../../http/web-client.ts'
import { findInvitation } from './find.ts'

/** Serves the web client, whose pages show to what a link invites. */
export const invitationsFeature = feature({
  pages: (app, ctx) => serveWeb(app, ctx.config, (pathname) => findInvitation(ctx, pathname)),
})
