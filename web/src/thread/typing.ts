import { client } from '../service/api.ts'
import { createStore, useStore } from '../state/store.ts'

/** After these milliseconds a wallet counts as no longer typing. */
const lasts = 6_000
const nobody: string[] = []
/** These wallets are typing, by thread. */
const typing = createStore<Record<string, string[]>>({})
const timers = new Map<string, ReturnType<typeof setTimeout>>()

const keyOf = (thread: string) => thread.toLowerCase()

/** Shows that a wallet is typing, until its message arrives or six seconds have passed. */
export function startTyping(thread: string, wallet: string): void {
  const key = keyOf(thread)
  const wallets = typing.get()[key] ?? nobody
  if (!wallets.includes(wallet)) typing.set({ ...typing.get(), [key]: [...wallets, wallet] })
  clearTimeout(timers.get(`${key} ${wallet}`))
  timers.set(
    `${key} ${wallet}`,
    setTimeout(() => stopTyping(thread, wallet), lasts),
  )
}

export function stopTyping(thread: string, wallet: string): void {
  const key = keyOf(thread)
  const wallets = typing.get()[key]
  if (!wallets?.includes(wallet)) return
  clearTimeout(timers.get(`${key} ${wallet}`))
  typing.set({ ...typing.get(), [key]: wallets.filter((other) => other !== wallet) })
}

/** Returns the wallets that are typing. `thread` is the key of a group chat or the address of the peer. */
export const useTyping = (thread: string): string[] => useStore(typing)[keyOf(thread)] ?? nobody

/** These milliseconds are between two announcements. */
const announceEvery = 3_000
let announced = { thread: '', at: 0 }

/** Announces that the wallet is typing, at most every three seconds. */
export function announceTyping(where: { fromaddr: string; toaddr?: string; nftaddr?: string }): void {
  const thread = `${where.toaddr ?? ''} ${where.nftaddr ?? ''}`
  if (announced.thread === thread && Date.now() - announced.at < announceEvery) return
  announced = { thread, at: Date.now() }
  // A lost announcement does no harm.
  client.sendTyping({ body: where }).catch(() => {})
}
