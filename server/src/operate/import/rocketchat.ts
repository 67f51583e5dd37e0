// Reads collections of Rocket.Chat as `mongoexport` writes them, with a JSON object on each line: rocketchat_message.json,
// rocketchat_room.json and users.json.

import { linesOf } from './json.ts'
import { ImportError, listOf, objectOf, type Record, textOf } from './records.ts'
import { emojiOf } from './slack.ts'
import type { Tree } from './tree.ts'

type Fields = { [field: string]: unknown }

/** Rooms are in memory while messages are read. */
const mostRooms = 1_000_000

export async function* readRocketChat(tree: Tree): AsyncGenerator<Record, void> {
  const file = (name: string) => tree.names.find((one) => one === name || one.endsWith(`/${name}`))
  const [messages, rooms, users] = ['rocketchat_message.json', 'rocketchat_room.json', 'users.json'].map(file)
  if (messages === undefined || rooms === undefined)
    throw new ImportError(
      'This is no export of Rocket.Chat: it needs rocketchat_message.json and rocketchat_room.json.',
    )
  const named = new Map<string, string>()
  for await (const value of linesOf(await tree.read(rooms), rooms)) {
    const room = objectOf(value)
    // Rooms of the kind d are direct messages.
    named.set(textOf(room._id), room.t === 'd' ? '' : textOf(room.name) || textOf(room.fname))
    if (named.size > mostRooms) throw new ImportError(`The export has more than ${mostRooms} rooms.`)
  }
  if (users !== undefined)
    for await (const value of linesOf(await tree.read(users), users)) {
      const user = objectOf(value)
      const username = textOf(user.username)
      if (username) yield { kind: 'person', id: username, name: textOf(user.name) || username }
    }
  for await (const value of linesOf(await tree.read(messages), messages))
    yield* messageOf(objectOf(value), named)
}

/** `mongoexport` writes a time as an object. */
function timeOf(value: unknown): number {
  const date = objectOf(value).$date ?? value
  const long = objectOf(date).$numberLong
  return long === undefined ? (typeof date === 'number' ? date : Date.parse(textOf(date))) : Number(long)
}

function* messageOf(one: Fields, rooms: Map<string, string>): Generator<Record, void> {
  const channel = rooms.get(textOf(one.rid))
  if (channel === '') yield { kind: 'left-out', reason: 'direct' }
  else if (textOf(one.t)) yield { kind: 'left-out', reason: 'system' }
  else if (one._hidden !== true) {
    const author = textOf(objectOf(one.u).username)
    const files = one.files === undefined ? (one.file ? [objectOf(one.file)] : []) : listOf(one.files)
    yield {
      kind: 'message',
      channel: channel ?? textOf(one.rid),
      id: textOf(one._id),
      author,
      ms: timeOf(one.ts),
      text: textOf(one.msg),
      reply: textOf(one.tmid) || undefined,
      // The bytes of its files are in the store of Rocket.Chat.
      files: files.map(({ name }) => ({ path: '', name: textOf(name) })),
      reactions: Object.entries(objectOf(one.reactions)).map(([name, by]) => {
        const { usernames } = objectOf(by)
        const users = Array.isArray(usernames) ? usernames.map(textOf) : []
        return { emoji: emojiOf(name), users, count: users.length }
      }),
      pinned: one.pinned === true,
    }
  }
}
