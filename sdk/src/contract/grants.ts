/**
 * Something that an endpoint adds and that outlives the sign-in by which it was made: it lets a program, a browser or another
 * service read or write for the wallet. server/src/auth/grants.ts says how each grant ends.
 */
export type Grant =
  | 'api_keys'
  | 'incoming_hooks'
  | 'webhooks'
  | 'push_subscriptions'
  | 'telegram'
  | 'mails'
  | 'handovers'

/** The notice that the owner of a wallet gets when one was added. */
export const grantNotices = {
  api_keys: 'api_key_added',
  incoming_hooks: 'incoming_hook_added',
  webhooks: 'webhook_added',
  push_subscriptions: 'push_subscription_added',
  telegram: 'telegram_linked',
  mails: 'mail_address_set',
  handovers: 'browser_handed_over',
} as const satisfies Record<Grant, string>
export type GrantNotice = (typeof grantNotices)[Grant]

/** The words for what was added, in a mail (`name`) and in the web client (`line`). */
export const grantWords: Record<GrantNotice, { name: string; line: string }> = {
  api_key_added: { name: 'an API key', line: 'An API key was made for your wallet' },
  incoming_hook_added: { name: 'an incoming hook', line: 'A hook was made that posts as you' },
  webhook_added: { name: 'a webhook', line: 'A webhook gets news of your messages' },
  push_subscription_added: {
    name: 'a browser that gets notifications',
    line: 'A browser gets your notifications',
  },
  telegram_linked: { name: 'a Telegram chat', line: 'A Telegram chat gets your notifications' },
  browser_handed_over: {
    name: 'a browser that is signed in',
    line: 'A browser was signed in by a link that you confirmed',
  },
  mail_address_set: { name: 'a mail address', line: 'A mail address was set for your notifications' },
}
