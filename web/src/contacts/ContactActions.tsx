import { useQuery } from '@tanstack/react-query'
import { Ban, Bell, BellOff, Flag, Pencil } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useRow } from '../inbox/rows.ts'
import { askToReport } from '../moderation/reporting.ts'
import { useAliases } from '../names/aliases.ts'
import { hideProfile } from '../names/shown-profile.ts'
import { useMe } from '../service/session.ts'
import { AliasField } from './AliasField.tsx'
import { useSetContact } from './change.ts'
import { contactQuery } from '../names/contact.ts'
import { decide } from './decide.ts'
import { isMuted } from '../state/muted.ts'
import { askToMute } from './muting.ts'

/** Shows what the reader can do about a wallet: name it, mute it, block it. */
export function ContactActions({ peer, title }: { peer: string; title: string }) {
  const me = useMe()
  const set = useSetContact(peer)
  const alias = useAliases().get(peer) ?? ''
  const [isNaming, setIsNaming] = useState(false)
  const { data: contact } = useQuery(contactQuery(peer))
  const { row } = useRow({ context_type: 'dm', addr: peer })
  const state = contact?.state
  if (isNaming) return <AliasField peer={peer} alias={alias} onDone={() => setIsNaming(false)} />
  return (
    <div className="flex flex-wrap gap-x-1 border-t border-line pt-2">
      <Action icon={<Pencil />} onClick={() => setIsNaming(true)}>
        {alias ? 'Change nickname' : 'Add nickname'}
      </Action>
      {row &&
        (isMuted(row.muted_until) ? (
          <Action icon={<Bell />} onClick={() => void set({ muted_until: null })}>
            Unmute
          </Action>
        ) : (
          <Action
            icon={<BellOff />}
            onClick={() => {
              hideProfile()
              askToMute({ peer, title })
            }}
          >
            Mute…
          </Action>
        ))}
      {state === 'blocked' ? (
        <Action icon={<Ban />} onClick={() => void set({ blocked: false })}>
          Unblock
        </Action>
      ) : (
        state && (
          <Action
            icon={<Ban />}
            danger
            onClick={() => {
              hideProfile()
              void decide('block', { me, peer, title, before: state })
            }}
          >
            Block
          </Action>
        )
      )}
      <Action
        icon={<Flag />}
        danger
        onClick={() => {
          hideProfile()
          askToReport({ peer, title })
        }}
      >
        Report…
      </Action>
    </div>
  )
}

interface ActionProps {
  icon: ReactNode
  danger?: boolean
  onClick: () => void
  children: ReactNode
}

const Action = ({ icon, danger = false, onClick, children }: ActionProps) => (
  <button
    type="button"
    onClick={onClick}
    className={`flex min-h-11 items-center gap-2 rounded-lg px-2.5 text-sm font-medium hover:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 ${danger ? 'text-danger' : ''}`}
  >
    {icon}
    {children}
  </button>
)
