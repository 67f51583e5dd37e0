import { fromString, type Hex } from 'ox/Hex'
import { getSignPayload } from 'ox/PersonalMessage'

/** The hash that a wallet signs when it is asked to sign a text (EIP-191). */
export const signedHash = (text: string): Hex => getSignPayload(fromString(text))
