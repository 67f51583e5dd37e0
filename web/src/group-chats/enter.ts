import { client } from '../service/api.ts'
import { readInboxAgain } from '../inbox/cache.ts'

let timer: ReturnType<typeof setTimeout> | undefined
const entered = new Map<string, number>()

/**
 * Marks messages that arrive in an open chat as read at the service. Several at once are one call.
 */
export function enterChat(nftaddr: string, me: string, lastId: number): void {
  const key = `${me} ${nftaddr.toLowerCase()}`
  const known = entered.get(key)
  entered.set(key, Math.max(known ?? 0, lastId))
  if (known === undefined || lastId <= known || document.visibilityState !== 'visible') return
  clearTimeout(timer)
  timer = setTimeout(() => {
    client
      .listGroupMessages({
        address: nftaddr,
        useraddress: me,
        query: { limit: 1, before: Number.MAX_SAFE_INTEGER },
      })
      .then(readInboxAgain)
      // Repeated with the next message or visit.
      .catch(() => {})
  }, 400)
}
