import type { AttachedFile } from '@parley/sdk/files/attached.ts'
import { toBytes } from './bytes.ts'

/** The ciphertext has this number of bytes beside the text: the form of the body, what it replies to, iv and tag. */
const around = 200

/** Returns the bytes that a text and its files have on the wire once they are encrypted (`seal`): at most, to 300. */
export const sealedSize = (text: string, files: AttachedFile[] = []): number =>
  Math.ceil(((sizeOf(text) + (files.length > 0 ? sizeOf(files) + ',"files":'.length : 0) + around) * 4) / 3)

const sizeOf = (value: unknown): number => toBytes(JSON.stringify(value)).length
