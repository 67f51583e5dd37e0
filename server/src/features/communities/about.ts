// What the owner of a community says about it: the directory and its page show this.

import { isDeepStrictEqual } from 'node:util'
import { type CommunityAbout, type CommunityEntry, longestTag } from '@parley/sdk/contract/directory.ts'
import { tokensOf, wordsOf } from '@parley/sdk/search/words.ts'
import type { Publishing } from '../../auth/publishing.ts'
import type { Db } from '../../db/pool.ts'
import { badRequest } from '../../http/validation.ts'
import { log } from '../../messages/chat-log.ts'
import { keepUnseen } from '../../messages/unseen.ts'
import { chatBucket } from '../../values/bucket.ts'

/** Returns the form in which a tag is stored and searched for: its words in lower case, with hyphens between them. */
const tagOf = (text: string): string =>
  tokensOf(text)
    .filter(({ word }) => /[\p{L}\p{N}]/u.test(word))
    .map(({ word, isLetter, isJoined }, n) => (n > 0 && !(isLetter && isJoined) ? `-${word}` : word))
    .join('')

/** Returns tags in their form, each once, or throws 400. */
export function requireTags(tags: string[]): string[] {
  const formed = tags.map(tagOf)
  const wrong = formed.findIndex((tag) => tag === '' || tag.length > longestTag)
  if (wrong >= 0)
    throw badRequest([
      { pointer: `/body/tags/${wrong}`, detail: `must have letters or digits, at most ${longestTag}` },
    ])
  return [...new Set(formed)]
}

const lexemeOfTag = (tag: string) => `#${tag}`

/** Returns what a search in the directory finds a community by. */
export const lexemesOf = (community: string, { about, tags } = { about: '', tags: [] as string[] }) => [
  ...wordsOf(community, about, tags.join(' ')),
  ...tags.map(lexemeOfTag),
]

const quoted = (lexeme: string) => `'${lexeme.replaceAll(/['\\]/g, (one) => one + one)}'`

/** Returns the tsquery for words that a text must have, and a tag. */
export const tsquery = (words: ({ word: string } | { prefix: string })[], tag: string | undefined): string =>
  [
    ...words.map((one) => ('word' in one ? quoted(one.word) : `${quoted(one.prefix)}:*`)),
    ...(tag === undefined ? [] : [quoted(lexemeOfTag(tagOf(tag)))]),
  ].join(' & ')

/** Returns the fields of an entry that are left out where its owner has said nothing. */
export const toldOf = ({ about, tags }: Pick<CommunityAbout, 'about' | 'tags'>) =>
  ({
    ...(about && { about }),
    ...(tags.length > 0 && { tags }),
  }) satisfies Partial<CommunityEntry>

/** Makes SQL for what is said about the community `k`, whose profile is `p`, and who owns it. */
export const aboutColumns = (bucket = 'k.bucket') =>
  `coalesce(p.about, '') as about, coalesce(p.tags, '{}') as tags, (
    select r.walletaddr from chat_roles r where r.bucket = ${bucket} and r.chat = k.chat and r.role = 'owner' limit 1
  ) as owner`

interface Change {
  chat: string
  owner: string
  about: CommunityAbout
}

/**
 * Stores what the owner says, with its row in the log of the chat; returns false where there is no such community. What a wallet
 * says that is muted unseen, only that wallet sees.
 */
export const setAbout = (
  db: Db,
  publishing: Publishing,
  { chat, owner, about: { about, tags, listed } }: Change,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const bucket = chatBucket(chat)
    const [before] = await tx.query<CommunityAbout & { community: string }>(
      `select k.community, p.about, p.tags, p.listed
       from communities k join community_profiles p on p.bucket = k.bucket and p.chat = k.chat
       where k.bucket = $1 and k.chat = $2 for update of p`,
      [bucket, chat],
    )
    if (!before) return false
    const said = { about, tags, listed }
    if (await keepUnseen(tx, publishing, owner, { kind: 'about', about: chat, value: said })) return true
    if (isDeepStrictEqual({ about: before.about, tags: before.tags, listed: before.listed }, said))
      return true
    await tx.query(
      `update community_profiles set about = $3, tags = $4::text[], listed = $5, words = array_to_tsvector($6::text[])
       where bucket = $1 and chat = $2`,
      [bucket, chat, about, tags, listed, lexemesOf(before.community, said)],
    )
    await log(tx, { chat, actor: owner, action: 'set_about' })
    return true
  })

/** Deletes what was said about communities whose creator is erased. */
export async function forgetAbout(tx: Db, communities: { chat: string; community: string }[]): Promise<void> {
  for (const { chat, community } of communities)
    await tx.query(
      `update community_profiles set about = '', tags = '{}', words = array_to_tsvector($3::text[])
       where bucket = $1 and chat = $2`,
      [chatBucket(chat), chat, lexemesOf(community)],
    )
}
