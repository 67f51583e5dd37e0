import { useQuery } from '@tanstack/react-query'
import { Compass, MessageCircle, NotebookPen, Plus, Settings, SquarePen, UserRoundSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import { findRows, pathOf, seedOf, titleOf, useInbox } from '../inbox/rows.ts'
import { setStarting } from '../inbox/starting.ts'
import { query } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { isEvmAddress, shortAddress } from '../ui/address.ts'
import { Avatar } from '../ui/Avatar.tsx'

/** Something to go to, or to do. */
export interface Choice {
  key: string
  label: string
  hint: string
  icon: ReactNode
  to?: string
  act?: () => void
}

const icon = (Icon: typeof Plus) => (
  <span className="grid size-10 place-items-center rounded-xl bg-sunken text-muted">
    <Icon className="size-5" aria-hidden="true" />
  </span>
)

const kinds: Record<string, string> = { dm: 'Conversation', nft: 'NFT chat', community: 'Community' }

/** What the text finds: conversations, communities of the service, and what one can do. */
export function useChoices(text: string): Choice[] {
  const me = useMe()
  const { data: rows = [] } = useInbox()
  const wanted = text.trim().toLowerCase()
  const { data: found = [] } = useQuery({
    ...query('listCommunities', { query: { prefix: wanted, limit: 5 } }),
    enabled: /^[^\s/]{1,128}$/.test(wanted) && !isEvmAddress(wanted),
    placeholderData: (before) => before,
  })
  const conversations: Choice[] = findRows(rows, me, 'all', text)
    .slice(0, wanted ? 20 : 7)
    .map((row) => ({
      key: pathOf(row, me),
      label: titleOf(row, me),
      hint: kinds[row.context_type] ?? '',
      icon: <Avatar seed={seedOf(row, me)} picture={row.logo} square={row.context_type !== 'dm'} />,
      to: pathOf(row, me),
    }))
  const known = new Set(conversations.map(({ key }) => key.toLowerCase()))
  const communities = found
    .filter(({ community }) => community.toLowerCase().startsWith(wanted))
    .map(({ community, logo, members }) => ({
      key: `/c/${encodeURIComponent(community)}`,
      label: community,
      hint: `Community · ${members} ${members === 1 ? 'member' : 'members'}`,
      icon: <Avatar seed={community} picture={logo} square />,
      to: `/c/${encodeURIComponent(community)}`,
    }))
    .filter(({ key }) => wanted && !known.has(key.toLowerCase()))
  const actions = [...addressed(text.trim()), ...always(me)].filter(
    ({ label, key }) => key.startsWith('to ') || label.toLowerCase().includes(wanted),
  )
  return [...conversations, ...communities, ...actions]
}

const addressed = (text: string): Choice[] =>
  isEvmAddress(text)
    ? [
        {
          key: `to ${text}`,
          label: `Write to ${shortAddress(text)}`,
          hint: text,
          icon: icon(MessageCircle),
          // Its page checks the checksum.
          to: `/dm/${text}`,
        },
      ]
    : []

const always = (me: string): Choice[] => [
  {
    key: 'new',
    label: 'New conversation',
    hint: 'With any wallet, by its address or name',
    icon: icon(SquarePen),
    act: () => setStarting(true),
  },
  { key: 'self', label: 'Note to self', hint: 'Only you read it', icon: icon(NotebookPen), to: `/dm/${me}` },
  {
    key: 'requests',
    label: 'Requests',
    hint: 'Wallets that you have not written to yet',
    icon: icon(UserRoundSearch),
    to: '/requests',
  },
  {
    key: 'directory',
    label: 'Communities',
    hint: 'All of this service',
    icon: icon(Compass),
    to: '/communities',
  },
  {
    key: 'create',
    label: 'Create a community',
    hint: 'A name, and where else it is found',
    icon: icon(Plus),
    to: '/communities/new',
  },
  {
    key: 'settings',
    label: 'Profile and settings',
    hint: 'Name, picture, encryption, mails',
    icon: icon(Settings),
    to: '/settings',
  },
]
