import type { Countable } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'

const words: Record<Countable, { owner: string; name: string }> = {
  api_keys: { owner: 'You already have', name: 'API keys' },
  incoming_hooks: { owner: 'You already have', name: 'incoming hooks' },
  webhooks: { owner: 'You already have', name: 'webhooks' },
  drafts: { owner: 'You already have', name: 'drafts' },
  contacts: { owner: 'You already have', name: 'contacts' },
  bookmarks: { owner: 'You already have', name: 'bookmarks' },
  communities: { owner: 'You have already created', name: 'communities' },
  moderators: { owner: 'This chat already has', name: 'moderators' },
  restrictions: { owner: 'This chat already has', name: 'muted or banned wallets' },
  commands: { owner: 'The bots of this chat already have', name: 'commands' },
}

/**
 * Makes the refusal of one more than the maximum; `how` says how to make room. The maximum is a number, or a text where the
 * addition itself exceeds it.
 */
export type Full = (most: number | string, how: string) => ApiError

/** Only the handler of an endpoint that declares `adds` in the contract gets one. */
export const fullOf =
  (what: Countable): Full =>
  (most, how) => {
    const { owner, name } = words[what]
    const said =
      typeof most === 'number'
        ? `${owner} ${most.toLocaleString('en')} ${name}, the maximum.`
        : `With this there would be more than ${most}, the maximum.`
    return new ApiError('limit_reached', `${said} ${how}`)
  }
