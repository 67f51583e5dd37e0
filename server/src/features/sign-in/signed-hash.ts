import { fromString, type Hex } from 'ox/Hex'
import { getSignPayload } from 'ox/PersonalMessage'

/** Returns the hash that a wallet signs for a text (EIP-191). */
export const signedHash = (text: string): Hex => getSignPayload(fromString(text))
