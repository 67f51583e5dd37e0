import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two secrets of any length in constant time. */
export const sameSecret = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b))

const sha256 = (text: string) => createHash('sha256').update(text).digest()
