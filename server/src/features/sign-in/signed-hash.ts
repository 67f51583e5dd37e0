import { fromString, type Hex } from 'ox/Hex'
import { getSignPayload } from 'ox/PersonalMessage'

/** What a wallet that is asked to sign a text signs (EIP-191). */
export const signedHash = (text: string): Hex => getSignPayload(fromString(text))
