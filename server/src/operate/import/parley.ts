// Reads what `parley export-chat` has written (docs/move-here.md): chat.jsonl and the folder of its files.

import { linesFile } from '../../features/moving/archive.ts'
import { linesOf } from './json.ts'
import { ImportError, listOf, objectOf, type Record, textOf } from './records.ts'
import type { Tree } from './tree.ts'

export async function* readParley(tree: Tree): AsyncGenerator<Record, void> {
  const name = tree.names.find((one) => one === linesFile || one.endsWith(`/${linesFile}`))
  if (name === undefined) throw new ImportError(`This is no export of a Parley: it has no ${linesFile}.`)
  const folder = name.slice(0, -linesFile.length)
  for await (const value of linesOf(await tree.read(name), name)) {
    const line = objectOf(value)
    if (line.type === 'person') yield { kind: 'person', id: textOf(line.id), name: textOf(line.name) }
    if (line.type === 'message')
      yield {
        kind: 'message',
        channel: textOf(line.chat),
        id: textOf(line.id),
        author: textOf(line.author),
        ms: Date.parse(textOf(line.time)),
        text: textOf(line.text),
        reply: textOf(line.reply_to) || undefined,
        files: listOf(line.files).map((file) => ({
          path: textOf(file.path) && folder + textOf(file.path),
          name: textOf(file.name),
        })),
        reactions: listOf(line.reactions).map(({ emoji, users, count }) => ({
          emoji: textOf(emoji),
          users: Array.isArray(users) ? users.map(textOf) : [],
          count: Number(count),
        })),
        pinned: line.pinned === true,
      }
  }
}
