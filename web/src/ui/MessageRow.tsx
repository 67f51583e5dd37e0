import type { ReactNode } from 'react'
import { Bubble } from './Bubble.tsx'
import { classes } from './classes.ts'
import { continues, type Message } from './message.ts'

interface Props {
  message: Message
  before: Message | undefined
  after: Message | undefined
  menu?: ReactNode
  /** Where more than two people write: the picture and name beside the messages of others. */
  picture?: ReactNode
  sender?: string | undefined
  /** Buttons for a message that could not be sent. */
  failedActions?: ReactNode
}

/**
 * A message in the list: close to the one before when the same person sent both, else with a gap.
 */
export function MessageRow({ message, before, after, menu, picture, sender, failedActions }: Props) {
  const { mine, state, problem } = message
  const close = continues(message, before)
  // The picture is shown beside the last of several messages of one person.
  const isLast = after?.fromaddr !== message.fromaddr
  return (
    <div className={classes('flex flex-col', close ? 'pt-0.5' : 'pt-3', mine ? 'items-end' : 'items-start')}>
      <div className="flex w-full gap-2">
        {picture && !mine && <div className="w-7 shrink-0 self-end">{isLast && picture}</div>}
        <Bubble message={message} menu={menu} sender={close || mine ? undefined : sender} />
      </div>
      {state === 'failed' && (
        <div
          role="alert"
          className="flex flex-wrap items-center justify-end gap-x-3 pt-1 text-sm text-danger"
        >
          <span className="text-pretty">Not sent. {problem}</span>
          {failedActions}
        </div>
      )}
    </div>
  )
}
