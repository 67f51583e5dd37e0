// The console confirms a decision with these questions.

import type { ModerationAction } from '@parley/sdk'

interface Question {
  title: string
  /** This says what cannot be undone, or whom it affects. */
  text: string
  yes: string
  no: string
}

/** These confirm an action that destroys something, or shuts somebody out. */
export const questions: Partial<Record<ModerationAction, Question>> = {
  ban: {
    title: 'Ban this wallet?',
    text: 'It happens at once.',
    yes: 'Ban this wallet',
    no: 'Cancel',
  },
  shadow_mute: {
    title: 'Shadow mute this wallet?',
    text: 'They aren’t notified, so they can’t appeal. Review it before it ends.',
    yes: 'Shadow mute this wallet',
    no: 'Cancel',
  },
  remove_message: {
    title: 'Remove this message?',
    text: 'Nobody can bring it back. Operators keep the copy in this report.',
    yes: 'Remove this message',
    no: 'Cancel',
  },
  remove_post: {
    title: 'Remove this post?',
    text: 'Nobody can bring the text back. Operators keep the copy in this report.',
    yes: 'Remove this post',
    no: 'Cancel',
  },
  remove_name: {
    title: 'Remove this name?',
    text: 'Others can take the name then.',
    yes: 'Remove this name',
    no: 'Cancel',
  },
  remove_picture: {
    title: 'Remove this picture?',
    text: 'Nobody can bring it back. They can set it again.',
    yes: 'Remove this picture',
    no: 'Cancel',
  },
  takedown_community: {
    title: 'Take down this community?',
    text: 'This concerns all of its members.',
    yes: 'Take this community down',
    no: 'Cancel',
  },
  close_chat: {
    title: 'Close this chat?',
    text: 'This concerns all of its members.',
    yes: 'Close this chat',
    no: 'Cancel',
  },
}
