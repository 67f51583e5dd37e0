import type { Problem, Sent, Unsent } from '@parley/react'
import type { ReactNode } from 'react'
import { Field } from './Field.tsx'
import { Message, type Shown } from './Message.tsx'
import type { Team } from './official.ts'

interface Props {
  me: string
  openOwn: string
  thread: {
    messages: readonly (Sent<Shown> | Unsent)[]
    status: string
    error: Problem | undefined
    hasOlder: boolean
    loadOlder: () => Promise<void>
    reload: () => Promise<void>
    send: (text: string) => boolean
    retry: (key: string) => void
    discard: (key: string) => void
  }
  /** The name of the field. */
  label: string
  /** Whether messages have the names of their authors. */
  isNamed?: boolean
  /** It is marked where messages have names. */
  team?: Team
  /** Says who can read what is written. */
  readers: string
  note?: string | undefined
  /** Names the token that a message is about, where that needs to be said. */
  aboutOf?: (message: Shown) => string | undefined
  mayWrite?: () => Promise<boolean>
}

/** Shows messages, the newest at the lower end, and the field below them. */
export function Thread({
  me,
  openOwn,
  thread,
  label,
  isNamed = false,
  team,
  readers,
  note,
  aboutOf,
  mayWrite,
}: Props) {
  const { messages, status, error, hasOlder } = thread
  const retry = async (key: string) => {
    if (!mayWrite || (await mayWrite())) thread.retry(key)
  }
  const isEmpty = status === 'ready' && messages.length === 0
  return (
    <>
      {/* Such a box stays at its end by itself when messages come. */}
      <div
        className="flex min-h-0 flex-1 flex-col-reverse overflow-y-auto p-3"
        tabIndex={0}
        aria-label="Messages"
        role="region"
      >
        <div role="log" aria-label="Messages" className="grid gap-2">
          {hasOlder && <Plain onClick={() => void thread.loadOlder()}>Older messages</Plain>}
          {status === 'loading' && <p className="text-center text-muted">Loading …</p>}
          {isEmpty && <p className="py-6 text-center text-muted">Nothing is written here yet.</p>}
          {messages.map((message) => (
            <Message
              key={message.key}
              {...{ message, isNamed, openOwn, team }}
              about={message.status === 'sent' ? aboutOf?.(message) : undefined}
              isMine={message.fromaddr === me}
              retry={() => void retry(message.key)}
              discard={() => thread.discard(message.key)}
            />
          ))}
        </div>
      </div>
      {note && <p className="px-4 pb-1 text-sm text-muted">{note}</p>}
      {error && (
        <div role="alert" className="flex flex-wrap items-center gap-2 px-4 pb-1 text-sm text-danger">
          <span>{error.message}</span>
          <Plain onClick={() => void thread.reload()}>Try again</Plain>
        </div>
      )}
      <Field
        {...{ label, readers, mayWrite }}
        send={thread.send}
        // What may not be read may not be answered.
        isClosed={status === 'failed' && error?.code === 'forbidden'}
      />
    </>
  )
}

const Plain = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className="min-h-11 rounded-xl px-3 text-sm text-accent underline" onClick={onClick}>
    {children}
  </button>
)
