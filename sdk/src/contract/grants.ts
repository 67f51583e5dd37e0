/**
 * What an endpoint adds that outlives the sign-in by which it was made: it lets a program, a browser or another service read or write
 * for the wallet. server/src/auth/grants.ts says how each ends.
 */
export type Grant = 'api_keys' | 'incoming_hooks' | 'webhooks' | 'push_subscriptions' | 'telegram'

/** What the owner of a wallet is told when one was added. */
export const grantNotices = {
  api_keys: 'api_key_added',
  incoming_hooks: 'incoming_hook_added',
  webhooks: 'webhook_added',
  push_subscriptions: 'push_subscription_added',
  telegram: 'telegram_linked',
} as const satisfies Record<Grant, string>
export type GrantNotice = (typeof grantNotices)[Grant]
