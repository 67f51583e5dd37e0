import { toBytes } from './bytes.ts'

/** Bytes of what is encrypted beside the text: the form of the body, iv and tag. */
const around = 100

/** Bytes that a text has on the wire once it is encrypted (`seal`): at most, to a hundred. */
export const sealedSize = (text: string): number =>
  Math.ceil(((toBytes(JSON.stringify(text)).length + around) * 4) / 3)
