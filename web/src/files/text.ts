/** Returns the text of a message that has only files: clients that do not show files show their names. */
export const textOfFiles = (files: readonly { name: string }[]): string =>
  files.map(({ name }) => name).join(', ')
