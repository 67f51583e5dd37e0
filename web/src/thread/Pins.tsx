import { useQuery } from '@tanstack/react-query'
import { Pin } from 'lucide-react'
import { useState } from 'react'
import type { Message } from '../messages/message.ts'
import { query } from '../service/api.ts'

/** This is where messages are pinned. */
export interface PinsOf {
  toaddr?: string
  nftaddr?: string
}

interface Props {
  of: PinsOf
  messages: Message[]
  goTo: (id: number) => void
}

/** Shows one pinned message below the header, the newest first. A click goes to it, and shows the next older one. */
export function Pins({ of, messages, goTo }: Props) {
  const { toaddr = '', nftaddr = '' } = of
  const conversation = useQuery({ ...query('getConversation', { toaddr }), enabled: toaddr !== '' })
  const hasPins = conversation.data?.pinned === true
  const ofPair = useQuery({ ...query('listPinsOfConversation', { toaddr }), enabled: hasPins })
  const ofChat = useQuery({ ...query('listPinsOfChat', { nftaddr }), enabled: nftaddr !== '' })
  const pins = (toaddr ? hasPins && ofPair.data : ofChat.data) || []
  const [at, setAt] = useState(0)
  if (pins.length === 0) return null
  const n = at % pins.length
  const { id } = pins[n]!
  const message = messages.find((one) => one.id === id)
  const text = message?.lock === 'broken' ? 'encrypted message' : message?.text
  return (
    <section aria-label="Pinned messages" className="channel-clear border-b border-line bg-surface">
      <button
        type="button"
        onClick={() => {
          goTo(id)
          setAt(n + 1)
        }}
        className="mx-auto flex min-h-11 w-full max-w-3xl items-center gap-2.5 px-3 text-start text-sm hover:bg-hover sm:px-4"
      >
        <Pin className="size-4 shrink-0 text-channel" aria-hidden="true" />
        <span className="shrink-0 font-semibold">
          Pinned{pins.length > 1 && `, ${n + 1} of ${pins.length}`}
        </span>
        <span className="min-w-0 flex-1 truncate text-muted">{text ?? 'Go to message'}</span>
      </button>
    </section>
  )
}
