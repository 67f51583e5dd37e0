import { mostTags } from '@parley/sdk'

/** What somebody has entered about a community: its tags as they were typed. */
export interface EnteredAbout {
  about: string
  tags: string
}

/** Returns the tags of a text, each once. */
export const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,]/)
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

/** Says what is wrong with the tags of a text. */
export function tagProblem(text: string): string | undefined {
  const { length } = tagsOf(text)
  return length > mostTags ? `These are ${length} tags. Keep ${mostTags}.` : undefined
}
