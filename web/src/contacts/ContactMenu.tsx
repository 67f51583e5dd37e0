import { Ban, Bell, BellOff, Flag } from 'lucide-react'
import { useRow } from '../inbox/rows.ts'
import { askToReport } from '../moderation/reporting.ts'
import { useMe } from '../service/session.ts'
import { MenuItem, MenuLine } from '../ui/Menu.tsx'
import { useSetContact } from './change.ts'
import { decide } from './decide.ts'
import { isMuted } from '../state/muted.ts'
import { askToMute } from './muting.ts'
import type { Standing } from './relation.ts'

interface Props {
  peer: string
  title: string
  standing: Standing
}

/** These items of a conversation's menu mute or block the wallet. */
export function ContactMenu({ peer, title, standing }: Props) {
  const me = useMe()
  const set = useSetContact(peer)
  const { row } = useRow({ context_type: 'dm', addr: peer })
  return (
    <>
      <MenuLine />
      {standing === 'open' && (
        <MuteItem
          until={row?.muted_until}
          onMute={() => askToMute({ peer, title })}
          onUnmute={() => void set({ muted_until: null })}
        />
      )}
      {standing === 'blocked' ? (
        <MenuItem icon={<Ban />} onSelect={() => void set({ blocked: false })}>
          Unblock
        </MenuItem>
      ) : (
        <MenuItem
          icon={<Ban />}
          danger
          onSelect={() => void decide('block', { me, peer, title, before: 'unknown' })}
        >
          Block
        </MenuItem>
      )}
      <MenuItem icon={<Flag />} danger onSelect={() => askToReport({ peer, title })}>
        Report…
      </MenuItem>
    </>
  )
}

interface MuteProps {
  until: string | undefined
  onMute: () => void
  onUnmute: () => void
}

/** Mutes a wallet or a chat, or undoes that. */
export const MuteItem = ({ until, onMute, onUnmute }: MuteProps) =>
  isMuted(until) ? (
    <MenuItem icon={<Bell />} onSelect={onUnmute}>
      Unmute
    </MenuItem>
  ) : (
    <MenuItem icon={<BellOff />} onSelect={onMute}>
      Mute…
    </MenuItem>
  )
