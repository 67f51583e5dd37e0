import { randomBytes } from 'node:crypto'

/** Returns an id that nobody can guess: 128 random bits. */
export const newId = (): string => randomBytes(16).toString('base64url')
