// This is the load during a drill: wallets that write, and watchers that read.

import { signInWallets, type Wallets } from '../wallets.ts'
import type { ClientsOptions } from './attempts.ts'
import { acceptAll } from './changes.ts'
import { hasStream, startListener } from './listener.ts'
import { startPoller, type Watcher } from './poller.ts'
import { startUploaders, type Uploaders } from './uploaders.ts'
import { startWriters, type Writers } from './writers.ts'

interface LoadOptions extends Omit<ClientsOptions, 'wallets'> {
  seed: number
  /** Messages a second. */
  rate: number
  /** Characters added to each message. */
  padding: number
  /** Wallets also reply, edit and react. */
  changes: boolean
  /** Wallets also upload files and send them. */
  files: boolean
  log: (line: string) => void
  /** Multiplies every time limit. */
  patience: number
}

export interface Load {
  wallets: Wallets
  writers: Writers
  watchers: Watcher[]
  /** They are there where wallets send files. */
  uploaders?: Uploaders
}

/** Signs the wallets in at `baseUrl`, and starts the writers and the watchers. */
export async function startLoad(baseUrl: string, options: LoadOptions): Promise<Load> {
  const { seed, rate, prefix, padding, changes, files, log, ...shared } = options
  const { random } = shared
  const wallets = await signInWallets(seed, baseUrl)
  if (changes) await acceptAll(wallets, baseUrl)
  const withStream = await hasStream(baseUrl)
  const own = (name: string) => ({ ...shared, wallets, random: random.fork(name) })
  const writers = startWriters({ ...own('writers'), rate, prefix, padding, changes, writers: 24 })
  const polled = wallets.rooms.filter((room) => 'pair' in room).slice(0, 6)
  const watchers = polled.map((room, i) => startPoller(own(`poller ${i}`), room))
  if (withStream) {
    const listening = wallets.addresses.slice(0, 2)
    watchers.push(...listening.map((wallet, i) => startListener(own(`listener ${i}`), wallet)))
  } else log('the service has no event stream (404): only pollers watch')
  const uploaders = files && startUploaders({ ...own('uploaders'), seed, prefix, uploaders: 6 })
  return { wallets, writers, watchers, ...(uploaders && { uploaders }) }
}
