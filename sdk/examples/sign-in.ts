// A wallet signs in with a name, and reads it back with its token.

import { ApiError, createClient, signInWith } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseUrl } from './wallet.ts'

const account = privateKeyToAccount(generatePrivateKey())
const name = `example-${account.address.slice(2, 10)}`
const { token, expiresIn } = await signInWith(
  { baseUrl },
  { address: account.address, name, signMessage: (message) => account.signMessage({ message }) },
)
console.log(`signed in for ${expiresIn / 3600} hours`)

const parley = createClient({ baseUrl, token })
console.log(`inbox: ${(await parley.getInbox({ address: account.address })).length} conversations`)

// Without a token the service refuses.
try {
  await createClient({ baseUrl }).getInbox({ address: account.address })
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(`without a token: ${error.code}`)
}
