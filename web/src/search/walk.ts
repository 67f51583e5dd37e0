// Reads the encrypted conversations of a wallet into the index, step by step: first what has changed, then backwards from the
// newest message that is not read. A step is one page of one conversation and one transaction, so it can end anywhere.

import type { ChatItem } from '@parley/sdk'
import { MissingKey, schemeOf } from '../keys/crypto/scheme.ts'
import type { NewDoc } from './docs.ts'
import { type Conversation, countOf, mostMessages, type State } from './index-state.ts'
import type { MessageIndex } from './message-index.ts'
import { missingIn, removeOldest } from './removing.ts'
import { type Change, docOf, type Row, type Source } from './source.ts'

/** whole: all is read; full: no further message fits; waiting: nothing can be read now. */
export type Step = 'more' | 'whole' | 'full' | 'waiting'

const pageSize = 200
/** A message may be edited for a day. What was sent before may have changed while no page was open. */
const editable = 26 * 3_600_000

export class Walk {
  private readonly index: MessageIndex
  private readonly source: Source
  private readonly me: string
  private readonly pairs: string[]
  private readonly most: number
  private changes: Exclude<Change, 'missed'>[] = []
  /** What has changed before the page was loaded is known of these. */
  private readonly checked = new Set<string>()

  constructor(index: MessageIndex, source: Source, me: string, pairs: string[], most = mostMessages) {
    this.index = index
    this.source = source
    this.me = me
    this.pairs = pairs
    this.most = most
  }

  note(change: Change): void {
    if (change === 'missed') this.checked.clear()
    else this.changes.push(change)
  }

  hasChanges(): boolean {
    return this.changes.length > 0
  }

  /** Returns true when something new is not indexed yet. */
  isBehind(): boolean {
    const { conversations } = this.index.state
    return (
      this.changes.length > 0 ||
      (this.source.rows() ?? []).some((row) =>
        conversations[row.peer] ? this.isStale(row) : row.isSealed && this.checked.size > 0,
      )
    )
  }

  /** Returns from which time (epoch ms) on all is indexed; undefined when nothing is older. */
  backTo(): number | undefined {
    const { conversations } = this.index.state
    const unread = Object.values(conversations).flatMap(({ isWhole, bottomTime }) =>
      isWhole ? [] : [bottomTime],
    )
    for (const { peer, lastTime } of this.source.rows() ?? [])
      if (!conversations[peer]) unread.push(lastTime + 1)
    return unread.length > 0 ? Math.max(...unread) : undefined
  }

  /** Returns which part of the conversations is indexed to its beginning. */
  part(): number {
    const rows = this.source.rows() ?? []
    const whole = rows.filter(({ peer }) => this.index.state.conversations[peer]?.isWhole)
    return rows.length > 0 ? whole.length / rows.length : 1
  }

  async step(): Promise<Step> {
    await this.index.refresh()
    const rows = this.source.rows()
    if (!rows) return 'waiting'
    if (await this.openAgain()) return 'more'
    if (this.changes.length > 0) return this.apply()
    const { conversations } = this.index.state
    const left = Object.keys(conversations).find((peer) => rows.every((row) => row.peer !== peer))
    if (left !== undefined) return this.drop(left)
    const stale = rows.find((row) => this.isStale(row))
    if (stale) return this.catchUp(stale)
    if (countOf(this.index.state) >= this.most + pageSize) {
      await removeOldest(this.index, this.most)
      return 'more'
    }
    const unread = rows
      .filter(({ peer }) => !conversations[peer]?.isWhole)
      .map((row) => ({ row, time: conversations[row.peer]?.bottomTime ?? row.lastTime }))
      .toSorted((a, b) => b.time - a.time)
    if (!unread[0]) return 'whole'
    return countOf(this.index.state) < this.most ? this.goBack(unread[0].row) : 'full'
  }

  private isStale({ peer, last, lastTime }: Row): boolean {
    const known = this.index.state.conversations[peer]
    if (!known) return false
    const mayHaveChanged = !known.isClear && !this.checked.has(peer) && lastTime > known.seenAt - editable
    return last > known.top || mayHaveChanged
  }

  /** With another key, messages open that did not. */
  private async openAgain(): Promise<boolean> {
    const { pairs } = this.index.state
    if (String(pairs) === String(this.pairs)) return false
    return this.index.write([], [], (state) => {
      state.pairs = this.pairs
      for (const [peer, { hasUnopened }] of Object.entries(state.conversations))
        if (hasUnopened) delete state.conversations[peer]
    })
  }

  private async apply(): Promise<Step> {
    const changes = this.changes.splice(0)
    const edited = changes.flatMap((one) => ('edited' in one ? [one.edited] : [])).filter(this.isRead)
    const { docs, gone } = await this.docsOf([...new Map(edited.map((item) => [item.id, item])).values()])
    const ids = changes.flatMap((one) => {
      if ('gone' in one) return [one.gone]
      if ('listed' in one) return one.me === this.me ? missingIn(this.index, one) : []
      if (!('emptied' in one)) return []
      const peer = one.emptied.find((end) => end !== this.me) ?? this.me
      // A message that another tab has read since comes back.
      this.checked.delete(peer)
      return this.index.factsOf(peer).flatMap(({ id }) => (id > one.after ? [id] : []))
    })
    const removed = new Set([...gone, ...ids])
    const left = docs.filter(({ id }) => !removed.has(id))
    const isSame = left.length === 0 && removed.size === 0
    if (!isSame && !(await this.index.write(left, [...removed], () => {}))) this.changes.unshift(...changes)
    return 'more'
  }

  /** What is older is read later, as it is then. */
  private readonly isRead = (item: ChatItem): boolean => {
    const known = this.index.state.conversations[this.peerOf(item)]
    return known !== undefined && !known.isClear && item.id >= known.bottom
  }

  private readonly peerOf = ({ fromaddr, toaddr }: ChatItem) => (fromaddr === this.me ? toaddr : fromaddr)

  /** Removes a conversation that the inbox has no longer. */
  private async drop(peer: string): Promise<Step> {
    const ids = this.index.factsOf(peer).map(({ id }) => id)
    await this.index.write([], ids, ({ conversations }) => delete conversations[peer])
    return 'more'
  }

  /** Reads what is new in a conversation, and once what may have changed in it. */
  private async catchUp(row: Row): Promise<Step> {
    const { peer, last, lastTime } = row
    const known = this.index.state.conversations[peer]!
    const seenAt = this.source.now()
    if (known.isClear) {
      const maySeal = row.isSealed || (await this.source.maySeal(row))
      await this.index.write([], [], ({ conversations }) => {
        if (maySeal) delete conversations[peer]
        else conversations[peer] = { ...known, top: last, topTime: lastTime }
      })
      return 'more'
    }
    const from = this.checked.has(peer) ? known.topTime : Math.min(known.topTime, known.seenAt - editable)
    const time = Math.max(from, known.bottomTime - 1)
    const items = await this.source.since(peer, time)
    const there = new Set(items.map(({ id }) => id))
    const { docs, gone, hasUnopened } = await this.docsOf(items)
    const missing = this.index.factsOf(peer, time).flatMap(({ id }) => (there.has(id) ? [] : [id]))
    const newest = items.at(-1)
    const done = await this.index.write(docs, [...gone, ...missing], ({ conversations }) => {
      conversations[peer] = {
        ...known,
        top: Math.max(known.top, last, newest?.id ?? 0),
        topTime: Math.max(known.topTime, newest ? Date.parse(newest.timestamp) : 0),
        seenAt,
        ...(hasUnopened && { hasUnopened }),
      }
    })
    if (done) this.checked.add(peer)
    return 'more'
  }

  /** Reads an older page of a conversation, or its newest one. */
  private async goBack(row: Row): Promise<Step> {
    const { peer, last, lastTime } = row
    const known = this.index.state.conversations[peer]
    const begin: Conversation = known ?? {
      top: last,
      topTime: lastTime,
      bottom: Number.MAX_SAFE_INTEGER,
      bottomTime: lastTime,
      isWhole: false,
      seenAt: this.source.now(),
    }
    if (!known && !row.isSealed && !(await this.source.maySeal(row))) {
      await this.put(peer, { ...begin, bottom: last, isWhole: true, isClear: true })
      return 'more'
    }
    const items = await this.source.before(peer, begin.bottom, pageSize)
    const { docs, gone, hasUnopened } = await this.docsOf(items)
    const [oldest, newest] = [items[0], items.at(-1)]
    const next: Conversation = {
      ...begin,
      ...(oldest && { bottom: oldest.id, bottomTime: Date.parse(oldest.timestamp) }),
      top: Math.max(begin.top, newest?.id ?? 0),
      topTime: Math.max(begin.topTime, newest ? Date.parse(newest.timestamp) : 0),
      isWhole: items.length < pageSize,
      ...(hasUnopened && { hasUnopened }),
    }
    if ((await this.put(peer, next, docs, gone)) && !known) this.checked.add(peer)
    return 'more'
  }

  private put(peer: string, next: Conversation, docs: NewDoc[] = [], gone: number[] = []): Promise<boolean> {
    return this.index.write(docs, gone, (state: State) => {
      state.conversations[peer] = next
    })
  }

  /** Opens messages. `gone` are those that an earlier version of is indexed, and that do not open. */
  private async docsOf(
    items: readonly ChatItem[],
  ): Promise<{ docs: NewDoc[]; gone: number[]; hasUnopened: boolean }> {
    const docs: NewDoc[] = []
    const gone: number[] = []
    let hasUnopened = false
    for (const item of items) {
      if (schemeOf(item) !== 'own') continue
      const known = this.index.where(item.id)
      // An event may be later than what another tab has read.
      if (known && known.revision >= (item.revision ?? 0)) continue
      try {
        docs.push(docOf(item, await this.source.open(item), this.me))
      } catch (error) {
        hasUnopened ||= error instanceof MissingKey
        if (known) gone.push(item.id)
      }
    }
    return { docs, gone, hasUnopened }
  }
}
