import type { Member } from '@parley/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { type Role, useModerators } from '../chat-moderation/roles.ts'
import { useAliases } from '../names/aliases.ts'
import { client } from '../service/api.ts'

/** The list shows a member by the reader's own name for the wallet when there is one. */
export type ListedMember = Omit<Member, 'logo'> & { logo?: string; role?: Role }

/** The service sends at most this many at once. */
const pageSize = 200
/** A search reads on until it has found this number, within a limit of pages. */
const enough = 20
const mostPages = 25

interface Reading {
  isNeeded: boolean
  /** The members are on the screen. No event says that a wallet has joined, so they are read again now and then. */
  isShown: boolean
  /** The members for which somebody searches; undefined without a search. */
  matches: ((member: Member) => boolean) | undefined
}

/**
 * Reads the members of a chat. The service lists them by address, so a search reads further pages until it has found
 * enough.
 */
export function useMemberPages(nftaddr: string, { isNeeded, isShown, matches }: Reading) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['listMembers', nftaddr],
    queryFn: ({ pageParam: after }) =>
      client.listMembers({ nftaddr, query: { limit: pageSize, ...(after && { after }) } }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)!.walletaddr),
    enabled: isNeeded,
    ...(isShown && { staleTime: 0, refetchInterval: 60_000 }),
    refetchOnWindowFocus: isShown,
  })
  const members = useMemo(() => data?.pages.flat() ?? [], [data])
  const searchesOn =
    matches !== undefined &&
    hasNextPage &&
    data!.pages.length < mostPages &&
    members.filter(matches).length < enough
  useEffect(() => {
    if (searchesOn && !isFetchingNextPage) void fetchNextPage()
  }, [searchesOn, isFetchingNextPage, fetchNextPage])
  return {
    members,
    isRead: data !== undefined,
    isReading: isFetchingNextPage || searchesOn,
    hasMore: hasNextPage,
    readMore: () => void (hasNextPage && fetchNextPage()),
    error,
  }
}

/** Returns the members of a chat: its owner and moderators, then those with a name, then the others. */
export function useMembers(nftaddr: string, search: string) {
  const aliases = useAliases()
  const { data: moderators } = useModerators(nftaddr)
  const wanted = search.trim().toLowerCase()
  const matches = ({ walletaddr, name }: Pick<Member, 'walletaddr' | 'name'>) =>
    (aliases.get(walletaddr) ?? name).toLowerCase().includes(wanted) ||
    walletaddr.toLowerCase().includes(wanted)
  const reading = { isNeeded: true, isShown: true, matches: wanted ? matches : undefined }
  const { members, hasMore, ...pages } = useMemberPages(nftaddr, reading)
  const all = useMemo(() => {
    const staff = new Map((moderators ?? []).map(({ walletaddr, role }) => [walletaddr, role]))
    const known = new Set(members.map(({ walletaddr }) => walletaddr))
    // The moderators may be on a page that is not read yet. Once all are read, a missing moderator has not joined.
    const missing = hasMore ? [...staff.keys()].filter((walletaddr) => !known.has(walletaddr)) : []
    const listed = ({ walletaddr, name, ...more }: ListedMember): ListedMember => {
      const role = staff.get(walletaddr)
      return { walletaddr, name: aliases.get(walletaddr) ?? name, ...more, ...(role && { role }) }
    }
    return [
      ...missing.map((walletaddr) => listed({ walletaddr, name: '' })),
      ...members.map(listed),
    ].toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
  }, [members, moderators, aliases, hasMore])
  return { ...pages, hasMore, members: wanted ? all.filter(matches) : all }
}

const rank = ({ role, name }: ListedMember): number => {
  if (role) return role === 'owner' ? 0 : 1
  return name ? 2 : 3
}
