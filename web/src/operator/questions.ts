// What the console asks before it decides.

import type { ModerationAction } from '@parley/sdk'

interface Question {
  title: string
  /** What it does that cannot be taken back, or to whom. */
  text: string
  yes: string
  no: string
}

/** What is asked before an action that destroys something, or shuts somebody out. */
export const questions: Partial<Record<ModerationAction, Question>> = {
  ban: {
    title: 'Ban this wallet?',
    text: 'It is signed out of what it reads at once.',
    yes: 'Ban it',
    no: 'Do not ban',
  },
  shadow_mute: {
    title: 'Shadow mute this wallet?',
    text: 'It cannot appeal what it is not told of. Look at it again before it ends.',
    yes: 'Shadow mute it',
    no: 'Do not',
  },
  remove_message: {
    title: 'Remove this message?',
    text: 'Nobody can bring it back. What this report has of it stays for operators.',
    yes: 'Remove it',
    no: 'Keep it',
  },
  remove_post: {
    title: 'Remove this post?',
    text: 'Nobody can bring its text back. What this report has of it stays for operators.',
    yes: 'Remove it',
    no: 'Keep it',
  },
  remove_name: {
    title: 'Remove its name?',
    text: 'Others may take the name then.',
    yes: 'Remove it',
    no: 'Keep it',
  },
  remove_picture: {
    title: 'Remove its picture?',
    text: 'Nobody can bring it back; the wallet can set it again.',
    yes: 'Remove it',
    no: 'Keep it',
  },
  takedown_community: {
    title: 'Take down this community?',
    text: 'This concerns all of its members.',
    yes: 'Take it down',
    no: 'Leave it',
  },
  close_chat: {
    title: 'Close this chat?',
    text: 'This concerns all of its members.',
    yes: 'Close it',
    no: 'Leave it open',
  },
}
