import { useVirtualizer } from '@tanstack/react-virtual'
import { MessagesSquare, SearchX, SquarePen } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { RequestsLink } from './RequestsLink.tsx'
import { Offered } from '../keys/Offered.tsx'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { useMe } from '../service/session.ts'
import { AccountMenu } from '../sign-in/AccountMenu.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { InboxRow } from './InboxRow.tsx'
import { InboxSearch } from './InboxSearch.tsx'
import { InboxSkeleton } from './InboxSkeleton.tsx'
import { InboxTabs } from './InboxTabs.tsx'
import { setStarting, useStarting } from './starting.ts'
import { findRows, pathOf, type Tab, useInbox } from './rows.ts'
import { useWaiting } from './waiting.ts'

const NewConversation = lazy(async () => ({
  default: (await import('./NewConversation.tsx')).NewConversation,
}))
const Door = lazy(async () => ({ default: (await import('../door/Door.tsx')).Door }))

/** The conversations of the wallet, newest first. */
export function InboxPane() {
  const me = useMe()
  const { data, error, refetch } = useInbox()
  const [tab, setTab] = useState<Tab>('all')
  const [search, setSearch] = useState('')
  const starting = useStarting()
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const waiting = useWaiting(data)
  const rows = findRows([...waiting, ...(data ?? [])], me, tab, search)
  const isEmpty = data?.length === 0 && waiting.length === 0
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => 72,
    overscan: 6,
  })
  const start = (
    <Button variant="primary" onClick={() => setStarting(true)}>
      New conversation
    </Button>
  )
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-16 shrink-0 items-center gap-2 px-3">
        <AccountMenu />
        <h2 ref={heading} id="chats" tabIndex={-1} className="flex-1 text-lg font-semibold outline-none">
          Chats
        </h2>
        <IconButton label="New conversation" onClick={() => setStarting(true)}>
          <SquarePen className="size-5" />
        </IconButton>
      </header>
      <div className="grid grid-cols-1 gap-2 px-3 pb-2">
        <InboxSearch value={search} onChange={setSearch} />
        <InboxTabs rows={data ?? []} tab={tab} onChange={setTab} />
      </div>
      <Offered onDone={() => heading.current?.focus()} />
      <RequestsLink isReady={data !== undefined} />
      {error && !data && <ReadProblem error={error} what="Your chats" onRetry={() => void refetch()} />}
      <div
        ref={list}
        id="inbox-rows"
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        tabIndex={rows.length > 0 ? undefined : 0}
        className="scroll-calm flex min-h-0 flex-1 flex-col overflow-y-auto px-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] -outline-offset-2"
      >
        {!data && !error && waiting.length === 0 && <InboxSkeleton />}
        {isEmpty && (
          <EmptyState
            icon={<MessagesSquare className="size-7" />}
            title="No conversations yet"
            action={start}
          >
            Write to any wallet. It need not have been here before: your message waits for it.
          </EmptyState>
        )}
        {/* On a screen of this size it is beside the inbox otherwise. */}
        {isEmpty && (
          <div className="-mx-2 border-t border-line bg-page md:hidden">
            <Suspense>
              <Door />
            </Suspense>
          </div>
        )}
        {data && !isEmpty && rows.length === 0 && (
          <EmptyState
            icon={<SearchX className="size-7" />}
            title={search ? `Nothing matches “${search}”` : 'Nothing here yet'}
            action={start}
          />
        )}
        <ul className="relative shrink-0" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start: top }) => {
            const row = rows[index]!
            return (
              <li
                key={pathOf(row, me)}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${top}px)` }}
              >
                <InboxRow row={row} />
              </li>
            )
          })}
        </ul>
      </div>
      {starting && (
        <Suspense>
          <NewConversation onClose={() => setStarting(false)} />
        </Suspense>
      )}
    </div>
  )
}
