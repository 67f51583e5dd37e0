// What a wallet reads of what operators did with it.

import type { Notice } from '@parley/sdk'

export const noticeWords: Record<Notice['action'], string> = {
  warn: 'A warning',
  mute: 'You may read and not write',
  ban: 'You are banned',
  lift: 'What was forbidden is allowed again',
  revoke_tokens: 'You were signed out everywhere',
  remove_name: 'Your name was removed',
  remove_picture: 'Your picture was removed',
  remove_message: 'A message of yours was removed',
  remove_post: 'A post of yours in a chat was removed',
}
