import { client } from '../service/api.ts'

const every = 3_000
let last = { thread: '', at: 0 }

/** Lets the other side know that something is being written, at most every three seconds. */
export function announceTyping(where: { fromaddr: string; toaddr?: string; nftaddr?: string }): void {
  const thread = `${where.toaddr ?? ''} ${where.nftaddr ?? ''}`
  if (last.thread === thread && Date.now() - last.at < every) return
  last = { thread, at: Date.now() }
  // Whoever does not hear of it misses nothing.
  client.sendTyping({ body: where }).catch(() => {})
}
