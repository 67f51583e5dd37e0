// The console has these labels for the values of the interface.

import type { Evidence, ModerationAction, QueuedReport, Subject } from '@parley/sdk'
import { shortTime } from '../state/time.ts'

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

/** A message is proven in one of these ways. */
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
  /** This key chooses the action. */
  letter: string
  /** This says what the action does. */
  effect: string
  /** The notice says this when it is done. */
  done: string
}

/** The console offers them in this order. */
export const actions: Record<ModerationAction, Words> = {
  acknowledge: {
    label: 'Close',
    letter: 'a',
    effect: 'Closes the report. The reporter is notified that it was reviewed.',
    done: 'Closed',
  },
  escalate: {
    label: 'Escalate',
    letter: 'e',
    effect: 'Asks another operator to decide. The wallet isn’t notified.',
    done: 'Escalated',
  },
  note: {
    label: 'Note',
    letter: 'n',
    effect: 'Only operators see it, in the history of the wallet. The report stays open.',
    done: 'Noted',
  },
  warn: { label: 'Warn', letter: 'w', effect: 'They see your reason.', done: 'Warned' },
  mute: {
    label: 'Mute',
    letter: 'm',
    effect: 'They can read, not post. They see your reason and can appeal.',
    done: 'Muted',
  },
  ban: {
    label: 'Ban',
    letter: 'b',
    effect: 'They can only appeal, export and erase. They see your reason.',
    done: 'Banned',
  },
  lift: {
    label: 'Lift',
    letter: 'l',
    effect: 'Ends mutes and bans. They see your reason.',
    done: 'Lifted',
  },
  remove_message: {
    label: 'Remove message',
    letter: 'y',
    effect: 'Deletes a direct message of this report for both sides. The sender sees your reason.',
    done: 'Message removed',
  },
  remove_post: {
    label: 'Remove post',
    letter: 'x',
    effect:
      'Deletes the text of a post. Members see that an operator removed it. The author sees your reason.',
    done: 'Post removed',
  },
  shadow_mute: {
    label: 'Shadow mute',
    letter: 'h',
    effect: 'Nobody receives what they write, also not in chats. They aren’t notified.',
    done: 'Shadow muted',
  },
  shadow_lift: {
    label: 'Lift shadow mute',
    letter: 'd',
    effect: 'Others receive what they write again. They aren’t notified.',
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
      'Nobody can read the community or post in it, and no list shows it. People who open it read your reason. Can be restored. Communities only.',
    done: 'Community taken down',
  },
  restore_community: {
    label: 'Restore',
    letter: 'v',
    effect: 'A community that was taken down is as it was.',
    done: 'Community restored',
  },
  stop_announcements: {
    label: 'Stop announcements',
    letter: 'z',
    effect: 'The chat announces nothing, and what it announces now ends. A community includes its rooms.',
    done: 'Announcements stopped',
  },
  allow_announcements: {
    label: 'Allow announcements',
    letter: 'q',
    effect: 'The chat can announce again.',
    done: 'Announcements allowed',
  },
  recommend_community: {
    label: 'Recommend',
    letter: 'i',
    effect: 'The directory shows the community first and says that you recommend it. Communities only.',
    done: 'Recommended in the directory',
  },
  unrecommend_community: {
    label: 'Stop recommending',
    letter: '0',
    effect: 'The community has its usual place in the directory.',
    done: 'No longer recommended',
  },
  hold: {
    label: 'Hold',
    letter: 'g',
    effect:
      'A legal hold: deleted messages are kept for the administrator of the service. Nobody is notified.',
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
    effect: 'Deletes their name. They see your reason and can choose another name.',
    done: 'Name removed',
  },
  remove_picture: {
    label: 'Remove picture',
    letter: 'p',
    effect: 'Deletes their picture. They see your reason and can set another one.',
    done: 'Picture removed',
  },
  revoke_tokens: {
    label: 'Sign out',
    letter: 's',
    effect: 'They must sign in again, everywhere. They see your reason.',
    done: 'Signed out everywhere',
  },
}

const others: Record<string, string> = {
  view: 'Opened a report',
  view_held: 'Read what was held',
  block_file: 'Blocked a file',
  unblock_file: 'Unblocked a file',
  official_add: 'Named as one of the team',
  official_remove: 'Took off the team',
  operator_add: 'Made an operator',
  operator_remove: 'Removed as an operator',
}

/** Returns the label of a row of the log; reads by operators, and new operators, are rows as well. */
export const logged = (action: string): string =>
  action in others ? others[action]! : action in actions ? actions[action as ModerationAction].done : action

/** Returns when a sanction ends, as the end of a sentence. */
export const untilOf = (until: string | undefined): string =>
  until === undefined ? 'forever' : `until ${shortTime(until)}`

const kinds = {
  mute: 'Muted',
  ban: 'Banned',
  shadow_mute: 'Shadow muted',
  close: 'Closed',
  takedown: 'Taken down',
  announce: 'No announcements',
  hold: 'Held',
}

export const sanctionWords = ({ kind, until }: Subject['sanctions'][number]): string =>
  `${kinds[kind]} ${untilOf(until)}`
