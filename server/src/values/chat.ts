// Reads the key of a chat. A room of a community has the key `<community>/<room>`: names of communities have no '/'.

const at = (chat: string): number => chat.indexOf('/')

/** Returns the key of the community of a room; any other chat is its own. */
export const communityOf = (chat: string): string => (at(chat) < 0 ? chat : chat.slice(0, at(chat)))

export const isRoom = (chat: string): boolean => at(chat) > 0
