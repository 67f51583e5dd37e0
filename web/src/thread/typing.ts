import { createStore, useStore } from '../ui/store.ts'

/** Milliseconds after which a wallet counts as no longer typing. */
const lasts = 6_000
const nobody: string[] = []
/** The wallets that are typing, by thread. */
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

/** The wallets that are typing. `thread` is the key of a group chat or the address of the peer. */
export const useTyping = (thread: string): string[] => useStore(typing)[keyOf(thread)] ?? nobody
