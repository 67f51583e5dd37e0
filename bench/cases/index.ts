import type { Case } from './case.ts'
import { fanOut } from './fan-out.ts'
import { downloading, uploading } from './files.ts'
import { conversation, inbox, markedConversation, poll, unreadCounts, wholeConversation } from './reads.ts'
import { searches } from './search.ts'
import { sendingWithPushes } from './pushes.ts'
import { reactingToOne } from './reactions.ts'
import { mixed, posts, postsIntoLarge, sending, sendingIntoOne, signingIn } from './writes.ts'

/** Everything that is measured, in this order. */
export const cases: Case[] = [
  sending(1),
  sending(32),
  sending(128),
  sendingIntoOne,
  posts,
  postsIntoLarge,
  conversation,
  poll('poll', 'what is new since the last time: nothing', 0),
  poll('poll-one', 'what is new since the last time: one message', 1),
  inbox(20),
  inbox(200),
  inbox(2000),
  ...unreadCounts,
  signingIn,
  mixed,
  wholeConversation,
  fanOut(1000),
  fanOut(10_000),
  // These come at the end: what they add would be there in the others.
  sendingWithPushes,
  markedConversation,
  reactingToOne,
  uploading,
  downloading,
  ...searches,
]
