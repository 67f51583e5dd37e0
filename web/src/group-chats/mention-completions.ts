import type { Member } from '@parley/sdk'
import { importedFrom } from '@parley/sdk/imported.ts'
import { useMemo, useState } from 'react'
import { useBlocked } from '../names/blocked.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'
import type { Completions } from '../messages/completion.tsx'
import { useMemberPages } from './members.ts'

/** The name is the one that the wallet has chosen, by which others know it; it is empty without one. */
type Person = Pick<Member, 'walletaddr' | 'name'>

const beginsWith =
  (begin: string) =>
  ({ walletaddr, name }: Person): boolean => {
    const whole = name.toLowerCase()
    return (
      whole.startsWith(begin) ||
      whole.split(' ').some((word) => word.startsWith(begin)) ||
      walletaddr.toLowerCase().startsWith(begin)
    )
  }

const hintOf = (walletaddr: string): string => {
  const system = importedFrom(walletaddr)
  return system ? `Imported from ${system}` : shortAddress(walletaddr)
}

/**
 * Completes `@` with the wallets whose names or addresses begin so: those that have written in the chat, the latest
 * first, then its other members, which are requested when somebody types the sign.
 */
export function useMentions(nftaddr: string, authors: Person[]): Completions {
  const me = useMe()
  const blocked = useBlocked()
  const [search, setSearch] = useState<string>()
  const { members, isRead, isReading } = useMemberPages(nftaddr, {
    isNeeded: search !== undefined,
    isShown: false,
    matches: search ? beginsWith(search) : undefined,
  })
  return useMemo(() => {
    const all = new Map<string, Person>()
    for (const author of authors) if (!all.has(author.walletaddr)) all.set(author.walletaddr, author)
    // The members have the present names, those of authors too.
    for (const member of members.toSorted((a, b) => Number(b.name !== '') - Number(a.name !== '')))
      all.set(member.walletaddr, member)
    const others = [...all.values()].filter(({ walletaddr }) => walletaddr !== me && !blocked.has(walletaddr))
    const found = (written: string) => others.filter(beginsWith(written.toLowerCase()))
    return {
      after: /(?<![\p{L}\p{N}_.@])@([^\n@]{0,40})$/u,
      label: 'Mention someone',
      onNeeded: (written) => setSearch(written.toLowerCase()),
      find: (written) =>
        found(written).map(({ walletaddr, name }) => ({
          insert: `@${name || walletaddr}`,
          label: name || shortAddress(walletaddr),
          hint: name && hintOf(walletaddr),
        })),
      // After a space the text may go on, behind a name that is complete.
      none: (written) => {
        if (!/^\S+$/.test(written) || !isRead) return ''
        return isReading ? 'Searching…' : 'No member matches'
      },
    }
  }, [members, authors, me, blocked, isRead, isReading])
}
