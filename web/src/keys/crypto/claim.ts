/**
 * Returns what a wallet proves when it states that its encryption is on with a key, or off (an empty key). The number
 * grows with each statement. 0 means the key alone, from before there were statements.
 */
export const claimOf = (count: number, key: string): string =>
  count === 0 ? key : key ? `on ${count} ${key}` : `off ${count}`
