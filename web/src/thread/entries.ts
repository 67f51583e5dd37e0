// This browser stores what waits to be sent: a record per entry, so that tabs do not overwrite each other's. Each tab
// has all of them in memory and follows what the others change.

import type { ErrorCode, NewChatItem, NewComment, NewGroupChatItem } from '@parley/sdk'
import type { MessageEdit } from '@parley/sdk/contract/message-edits.ts'
import type { AttachedFile } from '@parley/sdk/files/attached.ts'
import { currentAccount } from '../service/session.ts'
import { createStore } from '../state/store.ts'
import { type History, type HistoryName, insertItem, type Items, setUnanswered } from './history.ts'
import type { Upload } from './uploads.ts'

export type Outgoing =
  | { endpoint: 'sendDirectMessage'; body: NewChatItem }
  | { endpoint: 'postGroupMessage'; body: NewGroupChatItem }
  | { endpoint: 'createComment'; body: NewComment }
  | { endpoint: 'editMessage'; body: MessageEdit; about: number }
  /** `values` are the emoji, of which an encrypted reaction has one sealed value in its body. */
  | { endpoint: 'react'; body: { values: string[] }; about: number; values: string[] }

/** An encrypted change of a message, or an encrypted reply, has this. */
export interface Change {
  /** This is the peer's key, if the page said that it will be encrypted. */
  encrypt?: string
  /** These are the ends and the NFT of the changed message. */
  of?: { fromaddr: string; toaddr: string; nftaddr?: string | undefined; nftid?: string | undefined }
  /** This names the changed message: for an edit, the text that it gets. A reply stays one. */
  version?: { cid: string; rev: number; re?: { cid: string; h: string } | undefined }
  /** A reply quotes this. One in the clear has an empty `cid`. */
  quoted?: { fromaddr: string; text: string; cid: string; rev: number }
  /** An encrypted message says that it has these files; an edit, those that it leaves there. */
  files?: AttachedFile[]
}

export type Entry = Outgoing &
  Change & {
    /** This is the Idempotency-Key of its request. */
    id: string
    /** It will be part of these histories. */
    histories: History[]
    /** Entries of one thread are sent one after the other. */
    thread: string
    text: string
    /** It was written at this time. No two entries of a wallet in this browser have the same. */
    timestamp: string
    state: 'sending' | 'waiting' | 'failed'
    problem?: string
    /**
     * This is the error code of the service; behind: an earlier message of its thread was refused, and it is sent after
     * that.
     */
    code?: ErrorCode | 'behind'
    /** This is true when the user has chosen to send it before an earlier one that was refused. */
    ahead?: true
    /** This is true for an edit that came after another one. */
    late?: true
    /** This is true when the body is final: encrypted if that was chosen. */
    prepared?: boolean
    /** A message had these texts before, and each may have been sent. */
    earlier?: { text: string; body: Outgoing['body'] }[]
    /** A message has these files, which are uploaded before it is sent. */
    uploads?: Upload[]
    /** Its writer has paused the upload. */
    paused?: true
    /** The service did not have its files any more: they were uploaded once again. */
    again?: true
  }

export type MessageEntry = Exclude<Entry, { about: number }>
export type EditEntry = Extract<Entry, { endpoint: 'editMessage' }>

/** An entry is a message, or a change of one that is stored. */
export const isMessage = (entry: Entry): entry is MessageEntry =>
  entry.endpoint !== 'react' && entry.endpoint !== 'editMessage'

type Stored = Items[HistoryName]
/** A record of an entry also has the message it has become, just before the record is removed. */
type EntryRecord = Entry & { sent?: Stored | true }

const prefix = 'parley.outbox.'
const prefixOf = (wallet: string | undefined) => `${prefix}${wallet}.`
const keyOf = (id: string) => prefixOf(currentAccount()?.address) + id

const placeOf = ({ timestamp, id }: Entry) => `${timestamp} ${id}`
const byTime = (one: Entry, other: Entry) => (placeOf(one) < placeOf(other) ? -1 : 1)

function keysOf(wallet: string | undefined): string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(wallet)))
}

const recordsOf = (wallet: string | undefined) =>
  keysOf(wallet).map((key) => JSON.parse(localStorage.getItem(key)!) as EntryRecord)

/** Returns the keys of all files that wait to be sent, of every wallet in this browser. */
export const waitingKeys = (): Set<string> =>
  new Set(
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => JSON.parse(localStorage.getItem(key)!) as EntryRecord)
      .flatMap(({ sent, uploads = [] }) => (sent ? [] : uploads.map(({ key }) => key))),
  )

let afterDeletion = () => {}
/** Sets what deletes the files of entries that are gone. */
export const afterDeletionBy = (does: () => void) => void (afterDeletion = does)

/** Returns how many messages a wallet has written here that were not sent. */
export const countUnsent = (wallet: string): number =>
  recordsOf(wallet).filter(({ sent, endpoint }) => !sent && endpoint !== 'react').length

function load(): Entry[] {
  const records = recordsOf(currentAccount()?.address)
  // The page that sent one may have ended before it removed the record.
  for (const { id, sent } of records) if (sent) localStorage.removeItem(keyOf(id))
  return records.filter(({ sent }) => !sent).toSorted(byTime)
}

/** These are the entries of the signed-in wallet, oldest first. */
export const outbox = createStore(load())
const informHistories = () =>
  setUnanswered(
    outbox
      .get()
      .filter(isMessage)
      .filter(({ state }) => state !== 'failed'),
  )
informHistories()
outbox.subscribe(informHistories)

const listeners = new Set<(entry: Entry) => void>()
/** Calls back when another tab has added or changed an entry. */
export const onOtherTab = (listener: (entry: Entry) => void) => listeners.add(listener)

addEventListener('storage', ({ key, newValue }) => {
  const own = prefixOf(currentAccount()?.address)
  if (key === null) reload()
  if (!key?.startsWith(own)) return
  const record = newValue === null ? null : (JSON.parse(newValue) as EntryRecord)
  if (record === null) void removeSoon(key.slice(own.length))
  else if (record.sent) show(record, record.sent)
  else {
    put(record)
    for (const listener of listeners) listener(record)
  }
})

/** Reads the entries of the wallet that is signed in now. */
export const reload = (): void => outbox.set(load())

/** Stores an entry, a new one or a changed one. */
export function keep(entry: Entry): void {
  localStorage.setItem(keyOf(entry.id), JSON.stringify(entry))
  put(entry)
}

/** Returns an entry as it is stored now; undefined when another tab has sent or discarded it. */
export function entryOf(id: string): Entry | undefined {
  const record = localStorage.getItem(keyOf(id))
  if (record !== null) return JSON.parse(record) as Entry
  remove(id)
  return undefined
}

/** Changes an entry that is still stored. Returns the changed entry. */
export function change(id: string, to: (entry: Entry) => Entry): Entry | undefined {
  const entry = entryOf(id)
  const changed = entry && to(entry)
  if (changed) keep(changed)
  return changed
}

export function discard(id: string): void {
  localStorage.removeItem(keyOf(id))
  remove(id)
}

/**
 * Replaces an entry by the message that it has become or changed, in every tab; of a reaction there is none. What has to
 * follow, by the entry as it is now, is stored first.
 */
export async function acknowledge(
  entry: Entry,
  sent: Stored | true,
  following: (present: Entry) => Entry | undefined,
): Promise<void> {
  const present = entryOf(entry.id)
  const next = present && following(present)
  if (next) keep(next)
  const record: EntryRecord = { ...entry, sent }
  localStorage.setItem(keyOf(entry.id), JSON.stringify(record))
  localStorage.removeItem(keyOf(entry.id))
  show(entry, sent)
  await removeSoon(entry.id)
}

/** Deletes what a wallet has not sent yet, in every tab. */
export function forgetOutbox(wallet: string): void {
  for (const key of keysOf(wallet)) localStorage.removeItem(key)
  if (currentAccount()?.address === wallet) reload()
  afterDeletion()
}

/** Returns the key under which a message was shown before it was acknowledged. */
export const shownAs = (id: number): string => entryIds.get(id) ?? String(id)
const entryIds = new Map<number, string>()

function show(entry: Entry, sent: Stored | true): void {
  if (sent === true || !isMessage(entry)) return showChange(entry, sent)
  entryIds.set(sent.id, entry.id)
  for (const history of entry.histories) insertItem(history, sent)
}

type ShowChange = (entry: Entry, sent: Stored | true) => void
let showChange: ShowChange = () => {}
/** Sets what shows a change that the service has acknowledged. */
export const showChangesBy = (shows: ShowChange) => void (showChange = shows)

/** The stored message is shown before its entry is removed. Pages show only one of the same key. */
async function removeSoon(id: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0))
  remove(id)
}

function remove(id: string): void {
  const rest = outbox.get().filter((entry) => entry.id !== id)
  if (rest.length === outbox.get().length) return
  outbox.set(rest)
  afterDeletion()
}

function put(entry: Entry): void {
  const others = outbox.get().filter(({ id }) => id !== entry.id)
  outbox.set([...others, entry].toSorted(byTime))
}

/** Returns a time that is later than that of every entry. */
export function nextTimestamp(): string {
  const newest = outbox.get().at(-1)?.timestamp
  return new Date(Math.max(Date.now(), newest ? Date.parse(newest) + 1 : 0)).toISOString()
}
