import { toBytes } from './bytes.ts'

/** The ciphertext has this number of bytes beside the text: the form of the body, what it replies to, iv and tag. */
const around = 200

/** Returns the bytes that a text has on the wire once it is encrypted (`seal`): at most, to 250. */
export const sealedSize = (text: string): number =>
  Math.ceil(((toBytes(JSON.stringify(text)).length + around) * 4) / 3)
