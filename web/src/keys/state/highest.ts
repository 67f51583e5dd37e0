// This browser remembers the highest revision of each encrypted message that it has opened, and the highest count of each
// reaction, so that the service cannot go back to an earlier one unnoticed. Signing out deletes it; a session that the
// service ends does not.

import { onLeave } from '../../sign-in/sign-out.ts'
import { keyring } from './keyring.ts'
import { changeHighest, emptyHighest, readHighest } from './vault.ts'

/** A wallet has at most this many: the one that was noted first is forgotten first. */
const most = 2000

let wallet = ''
let highest = new Map<string, number>()
let unsaved = new Map<string, number>()
const listeners = new Set<() => void>()
/** Calls back when what was remembered has been read. */
export const onHighestRead = (listener: () => void) => listeners.add(listener)

keyring.subscribe(() => {
  const ring = keyring.get()
  const address = 'address' in ring ? ring.address : ''
  if (address !== wallet) void begin(address)
})

onLeave((address) => {
  if (address === wallet) unsaved.clear()
  emptyHighest(address).catch(() => {})
})

async function begin(address: string): Promise<void> {
  if (unsaved.size > 0) void save()
  wallet = address
  highest = new Map()
  unsaved = new Map()
  // Without IndexedDB it is remembered until the page is left.
  const stored = address ? await readHighest(address).catch(() => []) : []
  if (wallet !== address) return
  for (const [name, number] of stored) highest.set(name, Math.max(number, highest.get(name) ?? 0))
  for (const listener of listeners) listener()
}

/** Returns true when this browser has opened a higher one. */
export const isOutdated = (name: string, number: number): boolean => number < (highest.get(name) ?? 0)

/** Returns the highest number that this browser has opened under a name; 0 for none. */
export const highestOf = (name: string): number => highest.get(name) ?? 0

/** Remembers a number that was opened. */
export function noteOpened(name: string, number: number): void {
  if (number <= (highest.get(name) ?? 0)) return
  highest.set(name, number)
  unsaved.set(name, number)
  saving ??= setTimeout(() => void save(), 0)
}

let saving: ReturnType<typeof setTimeout> | undefined

async function save(): Promise<void> {
  saving = undefined
  const [address, fresh] = [wallet, unsaved]
  unsaved = new Map()
  if (!address) return
  await changeHighest(address, (before) => {
    const all = new Map(before)
    for (const [name, number] of fresh) {
      const next = Math.max(number, all.get(name) ?? 0)
      all.delete(name)
      all.set(name, next)
    }
    return [...all].slice(-most)
  }).catch(() => {})
}
