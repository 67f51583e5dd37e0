// What a client needs to know of an endpoint to call it, without models and texts. The published package has
// these tables in place of the contract, one per feature, so that a bundler keeps only those in use.

import { signIn as signInContract } from './contract/sign-in.ts'
import { sessions as sessionsContract } from './contract/sessions.ts'
import { apiKeys as apiKeysContract } from './contract/api-keys.ts'
import { directMessages as directMessagesContract } from './contract/direct-messages.ts'
import { groupChats as groupChatsContract } from './contract/group-chats.ts'
import { chatModeration as chatModerationContract } from './contract/chat-moderation.ts'
import { communities as communitiesContract } from './contract/communities.ts'
import { bots as botsContract } from './contract/bots.ts'
import { bookmarks as bookmarksContract } from './contract/bookmarks.ts'
import { drafts as draftsContract } from './contract/drafts.ts'
import { incomingHooks as incomingHooksContract } from './contract/incoming-hooks.ts'
import { inbox as inboxContract } from './contract/inbox.ts'
import { readState as readStateContract } from './contract/read-state.ts'
import { ownSide as ownSideContract } from './contract/own-side.ts'
import { consent as consentContract } from './contract/consent.ts'
import { dmPolicy as dmPolicyContract } from './contract/dm-policy.ts'
import { keys as keysContract } from './contract/keys.ts'
import { commands as commandsContract } from './contract/commands.ts'
import { comments as commentsContract } from './contract/comments.ts'
import { images as imagesContract } from './contract/images.ts'
import { names as namesContract } from './contract/names.ts'
import { ownership as ownershipContract } from './contract/ownership.ts'
import { nfts as nftsContract } from './contract/nfts.ts'
import { trust as trustContract } from './contract/trust.ts'
import { reports as reportsContract } from './contract/reports.ts'
import { moderation as moderationContract } from './contract/moderation.ts'
import { reportQueue as reportQueueContract } from './contract/report-queue.ts'
import { settings as settingsContract } from './contract/settings.ts'
import { notifications as notificationsContract } from './contract/notifications.ts'
import { telegram as telegramContract } from './contract/telegram.ts'
import { webhooks as webhooksContract } from './contract/webhooks.ts'
import { account as accountContract } from './contract/account.ts'
import { events as eventsContract } from './contract/events.ts'
import { health as healthContract } from './contract/health.ts'
import { status as statusContract } from './contract/status.ts'
import { service as serviceContract } from './contract/service.ts'
import type { Endpoint } from './contract/endpoint.ts'

/** How to call an endpoint. */
export type Call = Pick<Endpoint, 'method' | 'path' | 'produces' | 'idempotent'>

declare const endpoint: unique symbol
/** A call with the type of its endpoint, which has no value. */
export type CallOf<Of extends Endpoint> = Call & { readonly [endpoint]?: Of }
/** The endpoint of a call. */
export type EndpointOf<Of extends Call> = Of extends { readonly [endpoint]?: infer E }
  ? Extract<E, Endpoint>
  : never

const sliceOf = <Of extends Record<string, Endpoint>>(feature: Of) =>
  Object.fromEntries(
    Object.entries(feature).map(([name, { method, path, produces, idempotent }]) => [
      name,
      { method, path, ...(produces && { produces }), ...(idempotent && { idempotent }) },
    ]),
  ) as { [Name in keyof Of]: CallOf<Of[Name]> }

export const signIn = sliceOf(signInContract)
export const sessions = sliceOf(sessionsContract)
export const apiKeys = sliceOf(apiKeysContract)
export const bots = sliceOf(botsContract)
export const incomingHooks = sliceOf(incomingHooksContract)
export const directMessages = sliceOf(directMessagesContract)
export const groupChats = sliceOf(groupChatsContract)
export const chatModeration = sliceOf(chatModerationContract)
export const communities = sliceOf(communitiesContract)
export const bookmarks = sliceOf(bookmarksContract)
export const drafts = sliceOf(draftsContract)
export const inbox = sliceOf(inboxContract)
export const readState = sliceOf(readStateContract)
export const ownSide = sliceOf(ownSideContract)
export const consent = sliceOf(consentContract)
export const dmPolicy = sliceOf(dmPolicyContract)
export const keys = sliceOf(keysContract)
export const commands = sliceOf(commandsContract)
export const comments = sliceOf(commentsContract)
export const images = sliceOf(imagesContract)
export const names = sliceOf(namesContract)
export const ownership = sliceOf(ownershipContract)
export const nfts = sliceOf(nftsContract)
export const trust = sliceOf(trustContract)
export const reports = sliceOf(reportsContract)
export const moderation = sliceOf(moderationContract)
export const reportQueue = sliceOf(reportQueueContract)
export const settings = sliceOf(settingsContract)
export const notifications = sliceOf(notificationsContract)
export const telegram = sliceOf(telegramContract)
export const webhooks = sliceOf(webhooksContract)
export const account = sliceOf(accountContract)
export const events = sliceOf(eventsContract)
export const health = sliceOf(healthContract)
export const status = sliceOf(statusContract)
export const service = sliceOf(serviceContract)
