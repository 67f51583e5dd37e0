/** Returns true for a handle as X allows it. */
export const isXUsername = (username: string): boolean => /^[A-Za-z0-9_]{1,15}$/.test(username)
