/** The groups of pages, and the file of each page. */
export const groups: Record<string, string[]>
