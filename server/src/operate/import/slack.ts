// Reads exports of Slack: a ZIP archive or its folder, with a folder for each channel and in it a file for each day. The export has
// no files, only their addresses; slack-advanced-exporter puts them beside it, into `__uploads`.

import { gemoji, nameToEmoji } from 'gemoji'
import { itemsOf } from './json.ts'
import { ImportError, listOf, objectOf, type Attachment, type Record, textOf } from './records.ts'
import type { Tree } from './tree.ts'

type Fields = { [field: string]: unknown }

/** These are kinds of messages that a person has written. */
const spoken = new Set(['', 'bot_message', 'file_share', 'me_message', 'thread_broadcast'])
const mostPeople = 500_000

const known = new Set(gemoji.map(({ emoji }) => emoji))

/** Returns the emoji of a name as Slack, Mattermost and Rocket.Chat write it; the name where it is none. */
export function emojiOf(name: string): string {
  const plain = name.replaceAll(':', ' ').trim().split(' ')[0]!
  return Object.hasOwn(nameToEmoji, plain) ? nameToEmoji[plain]! : known.has(name) ? name : plain
}

export async function* readSlack(tree: Tree): AsyncGenerator<Record, void> {
  const channels = tree.names.find((name) => /(^|\/)channels\.json$/.test(name))
  if (channels === undefined) throw new ImportError('This is no export of Slack: it has no channels.json.')
  const root = channels.slice(0, -'channels.json'.length)
  const people = new Map<string, string>()
  if (tree.has(`${root}users.json`))
    for await (const { value } of itemsOf(await tree.read(`${root}users.json`), 'users.json', ['$.*'])) {
      const user = objectOf(value)
      const profile = objectOf(user.profile)
      const name = textOf(profile.display_name) || textOf(profile.real_name) || textOf(user.name)
      people.set(textOf(user.id), name)
      if (people.size > mostPeople) throw new ImportError(`The export has more than ${mostPeople} people.`)
      yield { kind: 'person', id: textOf(user.id), name }
    }
  for (const name of tree.names)
    if (/^(groups|dms|mpims)\.json$/.test(name.slice(root.length)) && name.startsWith(root))
      for await (const _ of itemsOf(await tree.read(name), name, ['$.*']))
        yield { kind: 'left-out', reason: 'direct' }
  const places = { people, folders: inFolders(tree.names, root) }
  for await (const { value } of itemsOf(await tree.read(channels), 'channels.json', ['$.*']))
    yield* channelOf(tree, places, objectOf(value))
}

/** Returns the names of files by their folder, without the folder of the export. */
function inFolders(names: string[], root: string): Map<string, string[]> {
  const folders = new Map<string, string[]>()
  for (const name of names) {
    const folder = name.slice(root.length, Math.max(root.length, name.lastIndexOf('/')))
    const some = folders.get(folder)
    if (some) some.push(name)
    else folders.set(folder, [name])
  }
  return folders
}

interface Places {
  people: Map<string, string>
  folders: Map<string, string[]>
}

async function* channelOf(tree: Tree, places: Places, one: Fields): AsyncGenerator<Record, void> {
  const channel = textOf(one.name)
  if (!channel) return
  const pinned = new Set(listOf(one.pins).map((pin) => textOf(pin.id)))
  for (const name of places.folders.get(channel) ?? [])
    if (name.endsWith('.json'))
      for await (const { value } of itemsOf(await tree.read(name), name, ['$.*']))
        yield* messageOf({ channel, pinned, ...places }, objectOf(value))
}

interface Place extends Places {
  channel: string
  pinned: ReadonlySet<string>
}

function* messageOf({ channel, pinned, people, folders }: Place, one: Fields): Generator<Record, void> {
  if (one.type !== 'message' || !spoken.has(textOf(one.subtype))) {
    yield { kind: 'left-out', reason: 'system' }
    return
  }
  const author = textOf(one.user) || textOf(one.bot_id)
  if (!people.has(author)) {
    const profile = objectOf(one.user_profile)
    const name = textOf(one.username) || textOf(profile.display_name) || textOf(profile.real_name)
    yield { kind: 'person', id: author, name }
  }
  for (const _ of listOf(one.attachments)) yield { kind: 'left-out', reason: 'embed' }
  const [id, thread] = [textOf(one.ts), textOf(one.thread_ts)]
  yield {
    kind: 'message',
    channel,
    id,
    author,
    ms: Math.floor(Number(id) * 1000),
    text: plain(textOf(one.text), people),
    reply: thread && thread !== id ? thread : undefined,
    files: listOf(one.files).map((file) => attachmentOf(folders, file)),
    reactions: listOf(one.reactions).map(({ name, users, count }) => ({
      emoji: emojiOf(textOf(name)),
      users: Array.isArray(users) ? users.map(textOf) : [],
      count: Number(count),
    })),
    pinned: pinned.has(id),
  }
}

function attachmentOf(folders: Map<string, string[]>, file: Fields): Attachment {
  const [path = ''] = folders.get(`__uploads/${textOf(file.id)}`) ?? []
  return { path, name: textOf(file.name) || textOf(file.title) }
}

const entities: { [entity: string]: string } = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** Makes what Slack writes between < and > into what people read. */
const plain = (text: string, people: Map<string, string>): string =>
  text
    .replace(/<([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g, (_, target: string, label: string | undefined) => {
      if (target.startsWith('@')) return `@${people.get(target.slice(1)) ?? label ?? target.slice(1)}`
      if (target.startsWith('#')) return `#${label ?? target.slice(1)}`
      if (target.startsWith('!')) return label ?? `@${target.slice(1).split('^')[0]}`
      const address = target.replace(/^mailto:/, '')
      return label && label !== address ? `${label} (${address})` : address
    })
    .replace(/&(lt|gt|amp);/g, (entity) => entities[entity]!)
