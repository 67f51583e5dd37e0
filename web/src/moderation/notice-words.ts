// A wallet reads these words about what operators did with it, and about what was added to it.

import type { Notice } from '@parley/sdk'
import { type GrantNotice, grantWords } from '@parley/sdk/contract/grants.ts'

/** These were added and read or write for the wallet until they are deleted. */
export const accessWords = Object.fromEntries(
  Object.entries(grantWords).map(([action, { line }]) => [action, line]),
) as Record<GrantNotice, string>

export const noticeWords: Record<Notice['action'], string> = {
  warn: 'A warning',
  mute: 'You can read but not post',
  ban: 'You are banned',
  lift: 'A restriction has ended',
  revoke_tokens: 'You were signed out everywhere',
  remove_name: 'Your name was removed',
  remove_picture: 'Your picture was removed',
  remove_message: 'A message of yours was removed',
  remove_post: 'A post of yours in a chat was removed',
  ...accessWords,
}
