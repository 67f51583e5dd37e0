/** The id of a heading. */
export function idOf(heading: string): string
/** Gives each heading of one page an id of its own. */
export function createIds(): (heading: string) => string
