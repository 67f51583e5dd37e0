// A notification about an announcement has a link that stops the announcements of its chat for its wallet. It needs no sign-in, and
// its holder can do nothing else. unsubscribe.ts serves it.

import type { Context } from '../../context.ts'
import { mac } from '../../lib/mac.ts'

export const stopKind = 'announcements'

export const signStop = (secret: string, wallet: string, chat: string) =>
  mac(secret, 'unsubscribe', `${stopKind}\0${wallet}\0${chat}`).subarray(0, 16)

export function stopUrl(
  { publicUrl, jwtSecret }: Pick<Context['config'], 'publicUrl' | 'jwtSecret'>,
  wallet: string,
  chat: string,
) {
  const subject = Buffer.from(`${stopKind} ${wallet} ${chat}`).toString('base64url')
  return `${publicUrl}/v1/unsubscribe/${subject}.${signStop(jwtSecret, wallet, chat).toString('base64url')}`
}
