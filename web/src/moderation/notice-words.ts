// What a wallet reads of what operators did with it, and of what was added to it.

import type { Notice } from '@parley/sdk'

/** What was added that reads or writes for the wallet until it is deleted. */
export const accessWords = {
  api_key_added: 'An API key was made for your wallet',
  incoming_hook_added: 'A hook was made that posts as you',
  webhook_added: 'A webhook gets news of your messages',
  push_subscription_added: 'A browser gets your notifications',
  telegram_linked: 'A chat of Telegram gets your notifications',
} as const

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
  ...accessWords,
}
