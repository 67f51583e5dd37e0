// This compares the edits, replies, reactions and files of messages with what the service has acknowledged, according to the ledger.

import type { Client } from '@parley/sdk'
import { forEachLimited } from '../../server/src/lib/for-each-limited.ts'
import { type Item, keyOf, type Violation } from './checker.ts'
import type { Entry, History } from './ledger.ts'

/** Checks what a room lists of its messages besides their first texts. */
export function checkChanges(room: string, entries: Entry[], listed: Item[]): Violation[] {
  const items = new Map(listed.map((item) => [keyOf(item), item]))
  const found: Violation[] = []
  for (const entry of entries) {
    const item = items.get(entry.key)
    if (!item) continue
    const fail = (kind: Violation['kind'], detail: string) =>
      found.push({ kind, detail: `${entry.key} ${detail} in ${room}` })
    checkEdits(entry, item, fail)
    if (item.reply_to !== entry.replyTo)
      fail('lost', `replies to ${item.reply_to}, and was sent as a reply to ${entry.replyTo}`)
    checkReactions(entry, item, fail)
    const shown = (files: Item['files'] = []) => files.map(({ id, size }) => `${id} of ${size} bytes`).join()
    if (shown(item.files) !== shown(entry.files))
      fail('lost', `shows the files ${shown(item.files)}, and was sent with ${shown(entry.files)}`)
  }
  return found
}

type Fail = (kind: Violation['kind'], detail: string) => void

/** An acknowledged edit is there, and each edit is one revision. One without a response may be there or not. */
function checkEdits({ edits = [] }: Entry, item: Item, fail: Fail): void {
  const revision = item.revision ?? 0
  const least = edits.filter(({ acknowledged }) => acknowledged).length
  if (revision < least) fail('lost', `has revision ${revision}, but ${least} edits were acknowledged`)
  if (revision > edits.length)
    fail('duplicated', `has revision ${revision}, but only ${edits.length} edits were sent`)
  const text = edits[revision - 1]?.text
  if (text !== undefined && item.message !== text) fail('lost', `has revision ${revision} with another text`)
}

function checkReactions({ reactions = new Map() }: Entry, item: Item, fail: Fail): void {
  const sets = [...reactions.values()]
  const listed = new Map((item.reactions ?? []).map(({ value, count }) => [value, count]))
  for (const value of new Set([...listed.keys(), ...sets.flat().flatMap(({ values }) => values)])) {
    const count = listed.get(value) ?? 0
    // Of each wallet the last acknowledged set counts, or the one after it, which has no response.
    const possible = sets.map((all) => {
      const last = all.findLastIndex(({ acknowledged }) => acknowledged)
      const ends = last < 0 ? [[], ...all.map(({ values }) => values)] : all.slice(last).map(valuesOf)
      return ends.map((values) => values.includes(value))
    })
    const least = possible.filter((ends) => ends.every(Boolean)).length
    const most = possible.filter((ends) => ends.some(Boolean)).length
    if (count < least) fail('lost', `has ${count} × ${value}, but ${least} were acknowledged`)
    if (count > most) fail('duplicated', `has ${count} × ${value}, but at most ${most} wallets sent it`)
  }
}

const valuesOf = ({ values }: { values: string[] }) => values

/** Checks what stood before each edit: every revision once, with its text. */
export async function checkEarlier(
  history: History,
  clientOf: (wallet: string) => Client,
): Promise<Violation[]> {
  const found: Violation[] = []
  const edited = [...history.values()].filter(({ edits, acknowledged }) => edits && acknowledged)
  await forEachLimited(edited, 4, async ({ key, from, edits, acknowledged }) => {
    const { id } = acknowledged!
    const versions = await clientOf(from).listEdits({ id })
    const wrong = versions.some(
      ({ revision, message }, i) =>
        revision !== i || (i > 0 ? message !== edits![i - 1]!.text : keyOf({ message }) !== key),
    )
    const least = edits!.filter((one) => one.acknowledged).length
    if (wrong || versions.length < least || versions.length > edits!.length)
      found.push({
        kind: versions.length > edits!.length ? 'duplicated' : 'lost',
        detail: `${key} has the earlier revisions ${versions.map(({ revision }) => revision).join()}, after ${least} edits`,
      })
  })
  return found
}
