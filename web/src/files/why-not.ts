import type { DraftFile } from './draft-file.ts'
import { sizeText } from './size-text.ts'

interface Limits {
  /** A file has at most this number of bytes. */
  most: number
  isSealed: boolean
}

/** Returns why a file cannot be sent. */
export function whyNot({ prepared }: DraftFile, { most, isSealed }: Limits): string | undefined {
  if (!prepared) return undefined
  const size = isSealed ? prepared.sealedSize : prepared.file.size
  return size > most
    ? `${prepared.name} is too large: ${sizeText(size)}, and a file has at most ${sizeText(most)}.`
    : undefined
}
