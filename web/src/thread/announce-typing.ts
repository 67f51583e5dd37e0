import { client } from '../service/api.ts'

const every = 3_000
let last = { thread: '', at: 0 }

/** Announces that the wallet is typing, at most every three seconds. */
export function announceTyping(where: { fromaddr: string; toaddr?: string; nftaddr?: string }): void {
  const thread = `${where.toaddr ?? ''} ${where.nftaddr ?? ''}`
  if (last.thread === thread && Date.now() - last.at < every) return
  last = { thread, at: Date.now() }
  // A lost announcement does no harm.
  client.sendTyping({ body: where }).catch(() => {})
}
