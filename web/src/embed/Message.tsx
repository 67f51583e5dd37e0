import type { Sent, Unsent } from '@parley/react'
import { SafeText } from '../messages/SafeText.tsx'
import { shortAddress } from '../seal/address.ts'
import { relativeTime } from '../state/time.ts'
import { classes } from '../ui/classes.ts'
import type { Team } from './official.ts'
import { OpenOwn } from './OpenOwn.tsx'
import { TeamMark } from './TeamMark.tsx'

/** What all kinds of messages have. */
export interface Shown {
  id: number
  fromaddr: string
  message: string
  timestamp: string
  name?: string
  sender_name?: string
  removed?: true
  files?: readonly unknown[]
  nftaddr?: string
  nftid?: unknown
}

interface Props {
  message: Sent<Shown> | Unsent
  isMine: boolean
  isNamed: boolean
  team: Team
  /** The token that it is about, where that is another than the frame's. */
  about: string | undefined
  openOwn: string
  retry: () => void
  discard: () => void
}

const button = 'min-h-11 px-2 text-sm font-medium text-accent underline underline-offset-2'

export function Message({ message, isMine, isNamed, team, about, openOwn, retry, discard }: Props) {
  const { status, fromaddr } = message
  const name = (status === 'sent' && (message.sender_name || message.name)) || ''
  const author = isMine ? 'You' : name || shortAddress(fromaddr)
  return (
    <article className={classes('flex flex-col', isMine ? 'items-end' : 'items-start')}>
      <div
        className={classes(
          'max-w-[85%] rounded-2xl px-3.5 py-2',
          isMine ? 'bg-mine text-on-mine' : 'border border-line bg-theirs',
        )}
      >
        <p className={isNamed && !isMine ? 'text-sm font-semibold' : 'sr-only'} dir="auto">
          {author} {isNamed && !isMine && <TeamMark address={fromaddr} {...{ name, team }} />}
        </p>
        {about && (
          <p className="text-sm opacity-80" dir="auto">
            {about}
          </p>
        )}
        <Said {...{ message, openOwn }} />
      </div>
      {status === 'sent' && (
        <time dateTime={message.timestamp} className="px-1 text-xs text-muted">
          {relativeTime(message.timestamp)}
        </time>
      )}
      {status === 'pending' && <span className="px-1 text-xs text-muted">Sending …</span>}
      {status === 'failed' && (
        <div role="alert" className="text-end text-sm text-danger">
          <p>Not sent. {message.error?.message}</p>
          <button type="button" className={button} onClick={retry}>
            Try again
          </button>
          <button type="button" className={button} onClick={discard}>
            Discard
          </button>
        </div>
      )}
    </article>
  )
}

/** Shows the text as text. Files are shown in the client, which scans and opens them. */
function Said({ message, openOwn }: Pick<Props, 'message' | 'openOwn'>) {
  if (message.status === 'sent' && message.removed) return <em>This message was removed.</em>
  const files = message.status === 'sent' && (message.files?.length ?? 0) > 0
  return (
    <>
      <div dir="auto" className="wrap-anywhere whitespace-pre-wrap" data-said="">
        <SafeText text={message.message} />
      </div>
      {files && (
        <OpenOwn className="underline underline-offset-2" href={openOwn}>
          See its files in Parley
        </OpenOwn>
      )}
    </>
  )
}
