import { account } from './account.ts'
import { apiKeys } from './api-keys.ts'
import { chatModeration } from './chat-moderation.ts'
import { commands } from './commands.ts'
import { comments } from './comments.ts'
import { directMessages } from './direct-messages.ts'
import { bots } from './bots.ts'
import { bookmarks } from './bookmarks.ts'
import { communities } from './communities.ts'
import { consent } from './consent.ts'
import { drafts } from './drafts.ts'
import { dmPolicy } from './dm-policy.ts'
import { events } from './events.ts'
import { groupChats } from './group-chats.ts'
import { health } from './health.ts'
import { images } from './images.ts'
import { incomingHooks } from './incoming-hooks.ts'
import { inbox } from './inbox.ts'
import { keys } from './keys.ts'
import { moderation } from './moderation.ts'
import { names } from './names.ts'
import { nfts } from './nfts.ts'
import { notifications } from './notifications.ts'
import { ownSide } from './own-side.ts'
import { ownership } from './ownership.ts'
import { sessions } from './sessions.ts'
import { readState } from './read-state.ts'
import { reportQueue } from './report-queue.ts'
import { reports } from './reports.ts'
import { service } from './service.ts'
import { settings } from './settings.ts'
import { signIn } from './sign-in.ts'
import { status } from './status.ts'
import { trust } from './trust.ts'
import { telegram } from './telegram.ts'
import { webhooks } from './webhooks.ts'

/**
 * Every endpoint of the service by name. The server, the SDK, the docs and the tests are all made
 * from here.
 */
export const contract = {
  ...signIn,
  ...sessions,
  ...apiKeys,
  ...bots,
  ...incomingHooks,
  ...directMessages,
  ...groupChats,
  ...chatModeration,
  ...communities,
  ...bookmarks,
  ...drafts,
  ...inbox,
  ...readState,
  ...ownSide,
  ...consent,
  ...dmPolicy,
  ...keys,
  ...commands,
  ...comments,
  ...images,
  ...names,
  ...ownership,
  ...nfts,
  ...trust,
  ...reports,
  ...moderation,
  ...reportQueue,
  ...settings,
  ...notifications,
  ...telegram,
  ...webhooks,
  ...account,
  ...events,
  ...health,
  ...status,
  ...service,
}
export type Contract = typeof contract
