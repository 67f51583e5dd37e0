// Reads bulk exports of Mattermost (`mmctl export`): a file with a JSON object on each line, alone or in a ZIP archive with the folder
// of its files. https://docs.mattermost.com/administration-guide/manage/bulk-export-tool.html

import { linesOf } from './json.ts'
import { type Attachment, ImportError, listOf, objectOf, type Record, textOf } from './records.ts'
import { emojiOf } from './slack.ts'
import type { Tree } from './tree.ts'

type Fields = { [field: string]: unknown }

export async function* readMattermost(tree: Tree): AsyncGenerator<Record, void> {
  const name = tree.names.find((one) => /\.jsonl$/i.test(one))
  if (name === undefined)
    throw new ImportError('This is no bulk export of Mattermost: it has no .jsonl file.')
  const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/') + 1) : ''
  for await (const value of linesOf(await tree.read(name), name)) {
    const line = objectOf(value)
    if (line.type === 'user') yield personOf(objectOf(line.user))
    else if (line.type === 'post') yield* postOf(tree, folder, objectOf(line.post))
    else if (line.type === 'direct_post') yield { kind: 'left-out', reason: 'direct' }
  }
}

function personOf(user: Fields): Record {
  const full = [textOf(user.first_name), textOf(user.last_name)].filter(Boolean).join(' ')
  const id = textOf(user.username)
  return { kind: 'person', id, name: textOf(user.nickname) || full || id }
}

/** The export has no ids: a person writes one message at a time. */
const idOf = (post: Fields) => `${textOf(post.create_at)} ${textOf(post.user)}`

function* postOf(tree: Tree, folder: string, post: Fields): Generator<Record, void> {
  const channel = textOf(post.channel)
  yield* messageOf(tree, folder, channel, post)
  for (const reply of listOf(post.replies)) yield* messageOf(tree, folder, channel, reply, idOf(post))
}

function* messageOf(
  tree: Tree,
  folder: string,
  channel: string,
  post: Fields,
  reply?: string,
): Generator<Record, void> {
  if (textOf(post.type).startsWith('system_')) {
    yield { kind: 'left-out', reason: 'system' }
    return
  }
  const users = new Map<string, string[]>()
  for (const { emoji_name: name, user } of listOf(post.reactions)) {
    const emoji = emojiOf(textOf(name))
    users.set(emoji, [...(users.get(emoji) ?? []), textOf(user)])
  }
  yield {
    kind: 'message',
    channel,
    id: idOf(post),
    author: textOf(post.user),
    ms: Number(post.create_at),
    text: textOf(post.message),
    reply,
    files: listOf(post.attachments).map(({ path }) => attachmentOf(tree, folder, textOf(path))),
    reactions: [...users].map(([emoji, by]) => ({ emoji, users: by, count: by.length })),
    pinned: post.is_pinned === true,
  }
}

/** Some versions give the path from the folder `data`. */
function attachmentOf(tree: Tree, folder: string, path: string): Attachment {
  const plain = folder + path
  const inData = `${folder}data/${path}`
  return { path: tree.has(inData) ? inData : plain, name: path.split('/').at(-1)! }
}
