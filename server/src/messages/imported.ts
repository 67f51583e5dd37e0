// Messages that were imported from elsewhere lie among the others, and have this bit of `marks`. Their times are long ago, so they are
// no part of the log: every reader of posts that notifies somebody leaves them out.

/** This is the bit, as a number of SQL. */
export const importedMark = 64

/** This is true for a row of group_messages that is in the log. */
export const isInLog = `marks & ${importedMark} = 0`

/** Returns the same for a row of any table that is read as the log, to be added to its conditions. */
export const alsoInLog = (table: string): string => (table === 'group_messages' ? `and ${isInLog}` : '')
