import { Feed } from 'feed'
import { plainText } from '@parley/sdk/formatting/index.ts'
import { describe, nameOfAuthor, type Place } from './page.ts'
import type { PublicPage } from './read-page.ts'
import { textAsHtml } from './text.ts'

export const feedTypes = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
} as const
export type FeedKind = keyof typeof feedTypes

// XML has no form for these characters, which people may paste (the line feed, the tab and the return are text).
// oxlint-disable-next-line no-control-regex
const unfit = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/** Makes the feed of a chat: the newest messages of its page, the latest first. */
export function renderFeed(kind: FeedKind, page: PublicPage, { origin, path, host, isPlain }: Place): string {
  const { title, messages, since } = page
  const link = origin + path
  const feed = new Feed({
    id: link,
    link,
    title,
    description: describe(page, host),
    updated: new Date(messages.at(-1)?.ms ?? since),
    feedLinks: { atom: `${link}?feed=atom`, json: `${link}?feed=json` },
    copyright: '',
    generator: 'Parley',
  })
  for (const { id, ms, author, text } of messages.toReversed()) {
    const shown = text.replaceAll(unfit, '')
    feed.addItem({
      id: `${link}#m${id}`,
      link: `${link}#m${id}`,
      title: plainText(shown).slice(0, 80) || 'A file',
      date: new Date(ms),
      author: [{ name: nameOfAuthor(author) }],
      content: textAsHtml(shown, isPlain)
        .map(({ markup }) => markup)
        .join(''),
    })
  }
  return kind === 'atom' ? feed.atom1() : feed.json1()
}
