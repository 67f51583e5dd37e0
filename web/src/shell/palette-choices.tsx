import { accountOf } from '@parley/sdk/accounts.ts'
import {
  Compass,
  Keyboard,
  MessageCircle,
  NotebookPen,
  Plus,
  Search,
  Settings,
  SquarePen,
  UserRoundSearch,
} from 'lucide-react'
import { useFoundChats } from '../inbox/found.tsx'
import { setStarting } from '../inbox/new-conversation-dialog.ts'
import { searchEverywhere } from '../search/searching.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'
import type { Choosable } from '../ui/chooser.tsx'
import { showShortcuts } from './shortcuts.ts'

/** A choice leads to a page, or does something. */
export interface Choice extends Choosable {
  to?: string
  act?: () => void
}

const icon = (Icon: typeof Plus) => (
  <span className="grid size-10 place-items-center rounded-xl bg-sunken text-muted">
    <Icon className="size-5" aria-hidden="true" />
  </span>
)

/** Returns what the text finds: conversations, communities of the service, and actions. */
export function useChoices(text: string): Choice[] {
  const me = useMe()
  const wanted = text.trim().toLowerCase()
  const found = useFoundChats(text, { latest: 7, most: 20 })
  const actions = [...addressed(text.trim()), ...always(me)].filter(
    ({ label, key }) => key.startsWith('to ') || label.toLowerCase().includes(wanted),
  )
  return [...found, ...actions, ...messagesWith(text.trim())]
}

/** Actions have this heading. */
const group = 'Go to'

const addressed = (text: string): Choice[] =>
  accountOf(text)
    ? [
        {
          key: `to ${text}`,
          group,
          label: `Write to ${shortAddress(text)}`,
          hint: text,
          icon: icon(MessageCircle),
          // Its page checks the checksum.
          to: `/dm/${text}`,
        },
      ]
    : []

const messagesWith = (text: string): Choice[] =>
  text.length < 2
    ? []
    : [
        {
          key: 'search',
          group,
          label: `Search messages for “${text}”`,
          hint: 'In all conversations',
          icon: icon(Search),
          act: () => searchEverywhere(text),
        },
      ]

const always = (me: string): Choice[] => [
  {
    key: 'new',
    group,
    label: 'New conversation',
    hint: 'By name or address',
    icon: icon(SquarePen),
    act: () => setStarting(true),
  },
  {
    key: 'self',
    group,
    label: 'Note to self',
    hint: 'Only you can see it',
    icon: icon(NotebookPen),
    to: `/dm/${me}`,
  },
  {
    key: 'requests',
    group,
    label: 'Requests',
    hint: 'First messages from new people',
    icon: icon(UserRoundSearch),
    to: '/requests',
  },
  {
    key: 'directory',
    group,
    label: 'Communities',
    hint: 'All communities here',
    icon: icon(Compass),
    to: '/communities',
  },
  {
    key: 'create',
    group,
    label: 'Create a community',
    hint: 'Start a group with its own page',
    icon: icon(Plus),
    to: '/communities/new',
  },
  {
    key: 'shortcuts',
    group,
    label: 'Keyboard shortcuts',
    hint: 'What the keyboard can do',
    icon: icon(Keyboard),
    act: () => showShortcuts(true),
  },
  {
    key: 'settings',
    group,
    label: 'Profile and settings',
    hint: 'Name, picture, notifications, privacy',
    icon: icon(Settings),
    to: '/settings',
  },
]
