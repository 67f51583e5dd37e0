// Reads exports of Telegram Desktop as JSON (`result.json` with its folders): of one chat, or of all. Chats of two people are left out.

import { itemsOf } from './json.ts'
import { type Attachment, listOf, objectOf, type Reacted, type Record, textOf } from './records.ts'
import type { Tree } from './tree.ts'

type Fields = { [field: string]: unknown }

/** A chat of one of these kinds belongs to two people, or to one. */
const direct = new Set(['personal_chat', 'bot_chat', 'saved_messages'])

export async function* readTelegram(tree: Tree): AsyncGenerator<Record, void> {
  const fields = ['name', 'type', 'id', 'messages.*']
  const paths = ['$', '$.chats.list.*'].flatMap((root) => fields.map((field) => `${root}.${field}`))
  for (const name of tree.names.filter((one) => /(^|\/)result[^/]*\.json$/i.test(one))) {
    const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/') + 1) : ''
    let chat: Fields = {}
    for await (const { value, keys } of itemsOf(await tree.read(name), name, paths)) {
      const key = keys.at(-1)!
      if (typeof key === 'string') chat = key === 'name' || key === 'type' ? { ...chat, [key]: value } : chat
      else if (direct.has(textOf(chat.type))) yield { kind: 'left-out', reason: 'direct' }
      else yield* messageOf(objectOf(value), textOf(chat.name) || 'telegram', folder)
    }
  }
}

function* messageOf(one: Fields, channel: string, folder: string): Generator<Record, void> {
  if (one.type !== 'message') {
    if (one.action === 'pin_message') yield { kind: 'pin', channel, id: textOf(one.message_id) }
    yield { kind: 'left-out', reason: 'system' }
    return
  }
  const author = textOf(one.from_id) || textOf(one.from)
  yield { kind: 'person', id: author, name: textOf(one.from) || 'Deleted account' }
  const reactions: Reacted[] = []
  for (const reaction of listOf(one.reactions)) {
    const recent = listOf(reaction.recent)
    for (const who of recent) yield { kind: 'person', id: textOf(who.from_id), name: textOf(who.from) }
    const users = recent.map((who) => textOf(who.from_id)).filter(Boolean)
    reactions.push({ emoji: textOf(reaction.emoji), users, count: Number(reaction.count) })
  }
  if (one.poll || one.location_information || one.contact_information || one.media_type === 'sticker')
    yield { kind: 'left-out', reason: 'embed' }
  const forwarded = textOf(one.forwarded_from)
  const text = textIn(one.text)
  yield {
    kind: 'message',
    channel,
    id: textOf(one.id),
    author,
    // The other field has the time of day of the machine that made the export.
    ms: Number(textOf(one.date_unixtime)) * 1000 || Number.NaN,
    text: forwarded && text ? `Forwarded from ${forwarded}:\n${text}` : text,
    reply: textOf(one.reply_to_message_id) || undefined,
    files: filesOf(one, folder),
    reactions,
  }
}

/** A text is one string, or parts of which some have a meaning. */
function textIn(text: unknown): string {
  if (!Array.isArray(text)) return textOf(text)
  return text
    .map((part: unknown) => {
      if (typeof part === 'string') return part
      const { type, text: shown, href } = objectOf(part)
      return type === 'text_link' && textOf(href) ? `${textOf(shown)} (${textOf(href)})` : textOf(shown)
    })
    .join('')
}

/** A file that was not exported has a sentence in brackets in the place of its path. */
const filesOf = (one: Fields, folder: string): Attachment[] =>
  [textOf(one.photo), textOf(one.file)].filter(Boolean).map((path) => ({
    path: path.startsWith('(') ? '' : folder + path,
    name: textOf(one.file_name) || path.split('/').at(-1)!,
  }))
