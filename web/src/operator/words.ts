// What the console calls the values of the interface.

import type { Evidence, ModerationAction, QueuedReport, Subject } from '@parley/sdk'
import { shortTime } from '../ui/time.ts'

export const reasons: Record<QueuedReport['reason'], string> = {
  spam: 'Spam',
  scam: 'Scam',
  abuse: 'Abuse',
  impersonation: 'Impersonation',
  illegal: 'Illegal content',
  other: 'Something else',
  appeal: 'Appeal',
}

export const statuses: Record<QueuedReport['status'], string> = {
  open: 'Open',
  escalated: 'Escalated',
  closed: 'Closed',
}

/** How a message is proven. */
export const proofs: Record<Evidence['proof'], string> = {
  stored: 'Proven: the service has this message in the clear, and copied it when it was reported.',
  opened: 'Proven: it was sent encrypted, and the disclosed key is the one that its sender committed to.',
  sealed: 'Not disclosed: it was sent encrypted. Who sent it and when is known, and not what it says.',
  unproven:
    'Not proven: it was sent encrypted in a form that does not commit to its key. Any text could be shown for it, so none is.',
  left_out: 'Not copied: the report has 256 KiB of messages already. Who sent it and when is known.',
}

interface Words {
  label: string
  /** The key that chooses it. */
  letter: string
  /** What it does. */
  effect: string
  /** What the notice says when it is done. */
  done: string
}

/** In the order in which the console offers them. */
export const actions: Record<ModerationAction, Words> = {
  acknowledge: {
    label: 'Close',
    letter: 'a',
    effect: 'Closes the reports and does nothing else. Who reported is told that somebody has looked.',
    done: 'Closed',
  },
  escalate: {
    label: 'Escalate',
    letter: 'e',
    effect: 'Another operator should look. The wallet is not told.',
    done: 'Escalated',
  },
  note: {
    label: 'Note',
    letter: 'n',
    effect: 'Is for operators alone, in the history of the wallet.',
    done: 'Noted',
  },
  warn: { label: 'Warn', letter: 'w', effect: 'The wallet reads your reason.', done: 'Warned' },
  mute: {
    label: 'Mute',
    letter: 'm',
    effect: 'It may read and not write. It reads your reason and can appeal.',
    done: 'Muted',
  },
  ban: {
    label: 'Ban',
    letter: 'b',
    effect: 'It may appeal, export its data, erase itself, and nothing else. It reads your reason.',
    done: 'Banned',
  },
  lift: {
    label: 'Lift',
    letter: 'l',
    effect: 'Ends mutes and bans. The wallet reads your reason.',
    done: 'Lifted',
  },
  remove_message: {
    label: 'Remove message',
    letter: 'y',
    effect: 'Deletes a direct message of this report for both ends. Its sender reads your reason.',
    done: 'Message removed',
  },
  remove_post: {
    label: 'Remove post',
    letter: 'x',
    effect:
      'Deletes the text of a post. Members see that an operator removed it, and its author reads your reason.',
    done: 'Post removed',
  },
  shadow_mute: {
    label: 'Shadow mute',
    letter: 'h',
    effect: 'What it writes reaches nobody, in chats neither, and it is not told.',
    done: 'Shadow muted',
  },
  shadow_lift: {
    label: 'Lift shadow mute',
    letter: 'd',
    effect: 'What it writes reaches others again. It is not told.',
    done: 'Shadow mute lifted',
  },
  close_chat: {
    label: 'Close chat',
    letter: 'c',
    effect: 'The chat takes no messages. What is there can be read.',
    done: 'Chat closed',
  },
  open_chat: {
    label: 'Open chat',
    letter: 'o',
    effect: 'The chat takes messages again.',
    done: 'Chat opened',
  },
  takedown_community: {
    label: 'Take down',
    letter: 't',
    effect:
      'Nobody reads the community or posts in it, and it is in no list. Who opens it reads your reason. Restoring brings all back. Of communities alone.',
    done: 'Community taken down',
  },
  restore_community: {
    label: 'Restore',
    letter: 'v',
    effect: 'A community that was taken down is as it was.',
    done: 'Community restored',
  },
  hold: {
    label: 'Hold',
    letter: 'g',
    effect:
      'A legal hold: what is deleted of its messages, by whomever, is kept aside for whoever runs the service. Nobody is told.',
    done: 'Held',
  },
  release: {
    label: 'Release',
    letter: 'f',
    effect: 'Ends a legal hold. What was kept aside is deleted.',
    done: 'Released',
  },
  remove_name: {
    label: 'Remove name',
    letter: 'r',
    effect: 'Deletes its name. The wallet reads your reason, and may choose another name.',
    done: 'Name removed',
  },
  remove_picture: {
    label: 'Remove picture',
    letter: 'p',
    effect: 'Deletes its picture. The wallet reads your reason, and may set another one.',
    done: 'Picture removed',
  },
  revoke_tokens: {
    label: 'Sign out',
    letter: 's',
    effect: 'It must sign in again, everywhere. It reads your reason.',
    done: 'Signed out everywhere',
  },
}

const others: Record<string, string> = {
  view: 'Looked at a report',
  view_held: 'Read what was held',
  operator_add: 'Made an operator',
  operator_remove: 'No operator any more',
}

/** What the log calls a row; also what operators look at, and who became one, is a row. */
export const logged = (action: string): string =>
  action in others ? others[action]! : action in actions ? actions[action as ModerationAction].done : action

/** When a sanction ends, as the end of a sentence. */
export const untilOf = (until: string | undefined): string =>
  until === undefined ? 'for ever' : `until ${shortTime(until)}`

const kinds = {
  mute: 'Muted',
  ban: 'Banned',
  shadow_mute: 'Shadow muted',
  close: 'Closed',
  takedown: 'Taken down',
  hold: 'Held',
}

export const sanctionWords = ({ kind, until }: Subject['sanctions'][number]): string =>
  `${kinds[kind]} ${untilOf(until)}`
