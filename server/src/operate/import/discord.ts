// Reads exports of DiscordChatExporter (JSON): a file for each channel or thread, and the folder of its media where it was made with
// `--media`. https://github.com/Tyrrrz/DiscordChatExporter/blob/master/.docs/Message-links-and-attachments.md

import { itemsOf } from './json.ts'
import { type Attachment, listOf, objectOf, type Reacted, type Record, textOf } from './records.ts'
import type { Tree } from './tree.ts'

const spoken = new Set(['Default', 'Reply', 'ChatInputCommand', 'ContextMenuCommand', '0', '19', '20', '23'])

export async function* readDiscord(tree: Tree): AsyncGenerator<Record, void> {
  for (const name of tree.names.filter((one) => /\.json$/i.test(one))) {
    let channel = ''
    const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/') + 1) : ''
    const paths = ['$.channel', '$.messages.*']
    for await (const { value, keys } of itemsOf(await tree.read(name), name, paths)) {
      const one = objectOf(value)
      if (keys[0] === 'channel') channel = textOf(one.name) || textOf(one.id)
      else yield* messageOf(one, channel, folder)
    }
  }
}

function* messageOf(
  one: { [field: string]: unknown },
  channel: string,
  folder: string,
): Generator<Record, void> {
  if (!spoken.has(textOf(one.type))) {
    yield { kind: 'left-out', reason: 'system' }
    return
  }
  const author = objectOf(one.author)
  const id = textOf(author.id)
  const nameOf = (who: { [field: string]: unknown }) => textOf(who.nickname) || textOf(who.name)
  yield { kind: 'person', id, name: nameOf(author) }
  const people = new Map(listOf(one.mentions).map((who) => [textOf(who.id), nameOf(who)]))
  const parts = [...listOf(one.embeds), ...listOf(one.stickers)]
  for (const _ of parts) yield { kind: 'left-out', reason: 'embed' }
  const reactions: Reacted[] = []
  for (const reaction of listOf(one.reactions)) {
    const users = listOf(reaction.users)
    for (const user of users) yield { kind: 'person', id: textOf(user.id), name: nameOf(user) }
    const emoji = textOf(objectOf(reaction.emoji).name)
    reactions.push({ emoji, users: users.map((user) => textOf(user.id)), count: Number(reaction.count) })
  }
  yield {
    kind: 'message',
    channel,
    id: textOf(one.id),
    author: id,
    ms: Date.parse(textOf(one.timestamp)),
    text: plain(textOf(one.content), people),
    reply: textOf(objectOf(one.reference).messageId) || undefined,
    files: listOf(one.attachments).map((file) => attachmentOf(file, folder)),
    reactions,
    pinned: one.isPinned === true,
  }
}

/** The exporter writes the address of a file at Discord, or the path of its copy, which is escaped as in a link. */
function attachmentOf(file: { [field: string]: unknown }, folder: string): Attachment {
  const url = textOf(file.url)
  return { path: /^[a-z]+:\/\//i.test(url) ? '' : folder + unescaped(url), name: textOf(file.fileName) }
}

function unescaped(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

/** Mentions and emoji of a server that the exporter has left as they are become what people read. */
const plain = (text: string, people: Map<string, string>): string =>
  text
    .replace(/<@!?(\d{1,20})>/g, (all, id: string) => (people.has(id) ? `@${people.get(id)}` : all))
    .replace(/<a?(:\w{1,64}:)\d{1,20}>/g, '$1')
