import { useQuery } from '@tanstack/react-query'
import { useAliases } from '../names/aliases.ts'
import { query } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { looksLikeAddress, shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import type { Choosable } from '../ui/chooser.tsx'
import { findRows, pathOf, seedOf, titleOf, useInbox } from './rows.ts'

/** A text finds this conversation, person or chat. */
export interface FoundChat extends Choosable {
  to: string
}

const kinds: Record<string, string> = { dm: 'Conversation', nft: 'NFT chat', community: 'Community' }

/**
 * Returns what the text finds: conversations and chats of the inbox, people whom the reader has given a name, and
 * communities of the service. Without a text it returns the latest of the inbox.
 */
export function useFoundChats(text: string, { latest, most }: { latest: number; most: number }): FoundChat[] {
  const me = useMe()
  const { data: rows = [] } = useInbox()
  const aliases = useAliases()
  const wanted = text.trim().toLowerCase()
  const { data: entries = [] } = useQuery({
    ...query('listCommunities', { query: { prefix: wanted, limit: 5 } }),
    enabled: /^[^\s/]{1,128}$/.test(wanted) && !looksLikeAddress(wanted),
    placeholderData: (before) => before,
  })
  const chats: FoundChat[] = findRows(rows, me, 'all', text)
    .slice(0, wanted ? most : latest)
    .map((row) => ({
      key: pathOf(row, me),
      label: titleOf(row, me),
      hint: kinds[row.context_type] ?? '',
      unread: row.unread,
      group: wanted ? 'Chats' : 'Recent',
      icon: <Avatar seed={seedOf(row, me)} picture={row.logo} square={row.context_type !== 'dm'} />,
      to: pathOf(row, me),
    }))
  const people = [...aliases]
    .filter(
      ([address, name]) => name.toLowerCase().includes(wanted) || address.toLowerCase().startsWith(wanted),
    )
    .map(([address, name]) => ({
      key: `/dm/${address}`,
      label: name,
      hint: shortAddress(address),
      group: 'People',
      icon: <Avatar seed={address} />,
      to: `/dm/${address}`,
    }))
  const communities = entries
    .filter(({ community }) => community.toLowerCase().startsWith(wanted))
    .map(({ community, logo, members }) => ({
      key: `/c/${encodeURIComponent(community)}`,
      label: community,
      group: 'Communities',
      hint: `Community · ${members} ${members === 1 ? 'member' : 'members'}`,
      icon: <Avatar seed={community} picture={logo} square />,
      to: `/c/${encodeURIComponent(community)}`,
    }))
  const known = new Set(chats.map(({ key }) => key.toLowerCase()))
  const more = (wanted ? [...people, ...communities] : people).filter(
    ({ key }) => !known.has(key.toLowerCase()),
  )
  return [...chats, ...more.slice(0, most)]
}
