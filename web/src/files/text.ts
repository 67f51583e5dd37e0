/**
 * Returns the text of a message with files whose writer has written none: a message has a text, and older clients show it.
 * Clients that show the files hide it. The names of ten files always fit into a message.
 */
export const textOfFiles = (names: string[]): string => names.join(', ')
