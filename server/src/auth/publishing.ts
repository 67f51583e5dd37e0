// Says whether a wallet may show something to others, checked when it becomes visible. A store that shows something takes a
// Publishing, which the functions below alone make, and route.ts gives one to the handler of an endpoint that declares
// `publishes`. So nothing is shown of a wallet that is banned or muted, and no store forgets those that are muted unseen.

import { isBanned, isShadowMuted, requireNoBan, requireNoMute, type Standing } from './standing.ts'

declare const permitted: unique symbol
/** Shows that a wallet may publish something now. */
export interface Publishing {
  readonly [permitted]: true
  /** This is true when the wallet alone sees it: it is muted unseen, and cannot notice it. */
  readonly isUnseen: boolean
}

/** Throws 403 for a wallet that is banned or muted. */
export function requirePublishing(standing: Pick<Standing, 'sanction'>, author: string): Publishing {
  requireNoBan(standing, author)
  requireNoMute(standing, author)
  return { isUnseen: isShadowMuted(standing, author) } as Publishing
}

/** Does the same where nothing is refused: it returns undefined for a wallet that may show nothing. */
export const mayPublish = (standing: Pick<Standing, 'sanction'>, author: string): Publishing | undefined =>
  isBanned(standing, author) || standing.sanction(author, 'mute')
    ? undefined
    : requirePublishing(standing, author)

/** This is for what the administrator publishes with the admin key: no wallet does it. */
export const publishingByAdmin = { isUnseen: false } as Publishing
