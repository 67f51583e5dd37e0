/** The word with which a post begins, where it may be a command, as SQL. */
export const wordOfPost = `case when message like '/%' then substring(left(message, 34) from '^/([a-z0-9_-]{1,32})(?:\\s|$)') end`

/** Returns the place of entries about a chat in `webhook_events`; no wallet has a space. */
export const placeOfChat = (chat: string) => `chat ${chat}`
