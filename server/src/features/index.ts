// These are the features of the service, in the order of the documentation. Only this file knows them all.
//
// Erasing a wallet goes through them from the end: communities before the roles in their chats, and bookmarks before the visits
// of chats.

import type { Feature } from '../feature.ts'
import { floors } from '../floors.ts'
import { accountFeature } from './account/feature.ts'
import { apiKeysFeature } from './api-keys/feature.ts'
import { bookmarksFeature } from './bookmarks/feature.ts'
import { botsFeature } from './bots/feature.ts'
import { chatModerationFeature } from './chat-moderation/feature.ts'
import { commandsFeature } from './commands/feature.ts'
import { commentsFeature } from './comments/feature.ts'
import { communitiesFeature } from './communities/feature.ts'
import { consentFeature } from './consent/feature.ts'
import { directMessagesFeature } from './direct-messages/feature.ts'
import { draftsFeature } from './drafts/feature.ts'
import { eventsFeature } from './events/feature.ts'
import { filesFeature } from './files/feature.ts'
import { groupChatsFeature } from './group-chats/feature.ts'
import { guestKeysFeature } from './guest-keys/feature.ts'
import { healthFeature } from './health/feature.ts'
import { imagesFeature } from './images/feature.ts'
import { movingFeature } from './moving/feature.ts'
import { inboxFeature } from './inbox/feature.ts'
import { incomingHooksFeature } from './incoming-hooks/feature.ts'
import { keysFeature } from './keys/feature.ts'
import { moderationFeature } from './moderation/feature.ts'
import { officialFeature } from './official/feature.ts'
import { namesFeature } from './names/feature.ts'
import { nftsFeature } from './nfts/feature.ts'
import { notificationsFeature } from './notifications/feature.ts'
import { ownSideFeature } from './own-side/feature.ts'
import { ownershipFeature } from './ownership/feature.ts'
import { pinsFeature } from './pins/feature.ts'
import { messageEditsFeature } from './message-edits/feature.ts'
import { reactionsFeature } from './reactions/feature.ts'
import { publicPagesFeature } from './public-pages/feature.ts'
import { readStateFeature } from './read-state/feature.ts'
import { reportsFeature } from './reports/feature.ts'
import { retentionFeature } from './retention/feature.ts'
import { roomsFeature } from './rooms/feature.ts'
import { searchFeature } from './search/feature.ts'
import { serviceFeature } from './service/feature.ts'
import { settingsFeature } from './settings/feature.ts'
import { signInFeature } from './sign-in/feature.ts'
import { statusFeature } from './status/feature.ts'
import { trustFeature } from './trust/feature.ts'
import { webhooksFeature } from './webhooks/feature.ts'

export const features = [
  floors,
  signInFeature,
  apiKeysFeature,
  botsFeature,
  draftsFeature,
  incomingHooksFeature,
  directMessagesFeature,
  ownSideFeature,
  groupChatsFeature,
  commandsFeature,
  chatModerationFeature,
  communitiesFeature,
  roomsFeature,
  bookmarksFeature,
  inboxFeature,
  readStateFeature,
  messageEditsFeature,
  reactionsFeature,
  pinsFeature,
  filesFeature,
  searchFeature,
  consentFeature,
  imagesFeature,
  namesFeature,
  keysFeature,
  guestKeysFeature,
  movingFeature,
  commentsFeature,
  ownershipFeature,
  nftsFeature,
  trustFeature,
  reportsFeature,
  moderationFeature,
  officialFeature,
  settingsFeature,
  notificationsFeature,
  webhooksFeature,
  accountFeature((): readonly Feature[] => features),
  healthFeature,
  statusFeature,
  serviceFeature,
  eventsFeature,
  retentionFeature,
  publicPagesFeature,
] as const
