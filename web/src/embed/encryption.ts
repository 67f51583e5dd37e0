import type { Parley } from '@parley/react'
import { createClientOf } from '@parley/sdk'
import { directMessages, keys } from '@parley/sdk/slices'

/**
 * Returns true when two wallets write to each other encrypted: a message of theirs is, whatever it is about, or both publish a key.
 * The frame has no keys, and what is written there would be in the clear. It throws when the service does not answer.
 */
export async function isEncrypted(parley: Parley, me: string, peer: string): Promise<boolean> {
  const options = parley.active?.options
  if (!options) throw new Error('Nobody is signed in.')
  const client = createClientOf(options, { ...directMessages, ...keys })
  const [mine, theirs, messages] = await Promise.all([
    client.getKey({ address: me }),
    client.getKey({ address: peer }),
    client.listConversation({
      fromaddr: me,
      toaddr: peer,
      query: { before: Number.MAX_SAFE_INTEGER, limit: 50 },
    }),
  ])
  const publishes = (found: typeof mine) => found.some(({ public_key: key }) => key !== '')
  return (
    (publishes(mine) && publishes(theirs)) ||
    messages.some(({ encrypted_sym_x_key: key, x_access_conditions: conditions }) => key || conditions)
  )
}
