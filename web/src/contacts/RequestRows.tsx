import type { InboxItem } from '@parley/sdk'
import { type RefObject, useRef, useState } from 'react'
import { peerOf } from '../names/peer.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'
import { decide, type Decision } from './decide.ts'
import { RequestRow } from './RequestRow.tsx'

/** Lists requests, and decides about one of them. */
export function useDeciding(rows: InboxItem[] = []) {
  const me = useMe()
  const list = useRef<HTMLUListElement>(null)
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const act = async (peer: string, decision: Decision) => {
    const row = rows.find((one) => peerOf(one, me) === peer)
    if (!row || busy.has(peer)) return
    setBusy((before) => new Set(before).add(peer))
    const title = row.name || shortAddress(peer)
    // The row that is decided disappears: the focus goes to the next one.
    const hadFocus = rowOf(list.current, peer)?.contains(document.activeElement)
    const isDone = await decide(decision, { me, peer, title, before: 'unknown', keepFocus: true })
    if (isDone && hadFocus) focusBeside(list.current, peer)
    setBusy((before) => new Set([...before].filter((one) => one !== peer)))
  }
  return { list, busy, act }
}

interface Props {
  rows: InboxItem[]
  list: RefObject<HTMLUListElement | null>
  busy: ReadonlySet<string>
  act: (peer: string, decision: Decision) => Promise<void>
}

export function RequestRows({ rows, list, busy, act }: Props) {
  const me = useMe()
  return (
    <ul ref={list} className="grid grid-cols-1" aria-label="Requests">
      {rows.map((row) => {
        const peer = peerOf(row, me)
        return (
          <RequestRow
            key={peer}
            row={row}
            busy={busy.has(peer)}
            onDecide={(decision) => void act(peer, decision)}
          />
        )
      })}
    </ul>
  )
}

const rowsIn = (list: HTMLElement | null) =>
  Array.from(list?.querySelectorAll<HTMLElement>('li[data-peer]') ?? [])

const rowOf = (list: HTMLElement | null, peer: string) =>
  rowsIn(list).find((row) => row.dataset['peer'] === peer)

/** Returns the peer of the request whose row has the focus. */
export const focusedPeer = (list: HTMLElement | null): string | undefined =>
  rowsIn(list).find((row) => row.contains(document.activeElement))?.dataset['peer']

function focusBeside(list: HTMLElement | null, peer: string): void {
  const rows = rowsIn(list)
  const at = rows.findIndex((row) => row.dataset['peer'] === peer)
  const next = rows[at + 1] ?? rows[at - 1]
  const target = next?.querySelector('a') ?? document.querySelector<HTMLElement>('main h1')
  target?.focus()
}
