// A notification is about this. It is read when the notification is decided and again when it is sent: meanwhile a message may
// have been read or deleted.

import type { NotificationRules } from '@parley/sdk/contract/notification-rules.ts'
import { signedName } from '../../auth/claims.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import type { AnnouncedPost, Subject } from '../../jobs/tasks.ts'
import { everything, type Facts, type Reason, type Recipient } from '../../messages/notification-policy.ts'
import { announcementPush, countOutcome, findAnnounced, outcomeOf } from './announcement.ts'
import { chatPush, findUnreadChat, type UnreadChat } from './chats.ts'
import { countUnreadOf, findConversation, messagePush, summaryPush } from './push-content.ts'
import type { Push } from './push-content.ts'
import { findReactions, reactionPush } from './reactions.ts'

export interface News {
  facts: Facts
  /** The id of the newest message about which the recipient wants to be notified, or the time of the newest reaction; 0 for none. */
  newest: number
  /**
   * Returns the push to send now; undefined when nothing is unread. It counts all conversations, so it is made only to be sent.
   */
  push: (preview: NotificationRules['preview']) => Promise<Push | undefined>
  /** Counts what was decided, where somebody sees these counts: the reason, or whether there was a channel. */
  count?: (tx: Db, decided: Reason | 'reached' | 'no_channel') => Promise<unknown>
  /** The recipient is notified about this as well: a push about the one leaves out the other. */
  same?: Subject | undefined
}

/** Returns undefined when there is no such conversation, chat or message. */
export async function findNews(
  ctx: Context,
  wallet: string,
  { push: rules }: Recipient,
  subject: Subject,
): Promise<News | undefined> {
  const { db, config } = ctx
  const countUnread = () => countUnreadOf(db, wallet, config.dmDefault)
  const badge = async () => (await countUnread()).messages
  const signed = (address: string, name: string) => signedName(ctx, address, name)
  const withAuthor = ({ post, ...chat }: UnreadChat): UnreadChat => ({
    ...chat,
    post: post && { ...post, name: signed(post.fromaddr, post.name) },
  })
  if ('peer' in subject) {
    const facts = await findConversation(db, wallet, subject.peer, config.dmDefault)
    return (
      facts && {
        facts,
        newest: facts.newest,
        push: async (preview) =>
          messagePush(
            config,
            wallet,
            { ...facts, name: signed(facts.peer, facts.name) },
            preview,
            await badge(),
          ),
      }
    )
  }
  if ('chat' in subject) {
    const facts = await findUnreadChat(ctx, wallet, subject.chat)
    const wantsEvery = facts?.everyPost && rules.chats !== false
    return (
      facts && {
        facts,
        newest: wantsEvery ? facts.newest : facts.newestMention,
        push: async (preview) =>
          chatPush(config, wallet, subject.chat, withAuthor(facts), preview, await badge()),
      }
    )
  }
  if ('announcement' in subject) return findOfAnnouncement(ctx, wallet, rules, subject, badge)
  if ('reaction' in subject) {
    const facts = await findReactions(ctx, wallet, subject)
    return (
      facts && {
        facts,
        newest: facts.newest,
        push: async (preview) =>
          reactionPush(
            config,
            wallet,
            {
              ...facts,
              latest: facts.latest && {
                ...facts.latest,
                name: signed(facts.latest.walletaddr, facts.latest.name),
              },
            },
            preview,
            await badge(),
          ),
      }
    )
  }
  return {
    facts: everything,
    newest: 0,
    async push() {
      const unread = await countUnread()
      return unread.messages === 0 ? undefined : summaryPush(config, wallet, unread, db.now())
    },
  }
}

async function findOfAnnouncement(
  ctx: Context,
  wallet: string,
  rules: NotificationRules['push'],
  about: AnnouncedPost,
  badge: () => Promise<number>,
): Promise<News | undefined> {
  const found = await findAnnounced(ctx, wallet, about)
  return (
    found && {
      facts: found,
      newest: about.announcement,
      push: async (preview) => announcementPush(ctx, wallet, about, found, preview, await badge()),
      count: (tx, decided) =>
        countOutcome(
          tx,
          about,
          decided === 'reached' || decided === 'no_channel' ? decided : outcomeOf(decided),
        ),
      same: found.everyPost && rules.chats !== false ? { chat: about.of } : undefined,
    }
  )
}
