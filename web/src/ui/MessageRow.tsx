import type { ReactNode } from 'react'
import { Bubble } from './Bubble.tsx'
import { classes } from './classes.ts'
import { continues, type Message } from './message.ts'

interface Props {
  message: Message
  before: Message | undefined
  menu?: ReactNode
  /** Where several people write: the picture and name beside a message of another. */
  picture?: ReactNode
  sender?: string | undefined
  /** What can be done when it could not be sent. */
  mend?: ReactNode
}

/** A message in its place: close to what the same person said just before, apart from everything else. */
export function MessageRow({ message, before, menu, picture, sender, mend }: Props) {
  const { mine, state, problem } = message
  const close = continues(message, before)
  return (
    <div className={classes('flex flex-col', close ? 'pt-0.5' : 'pt-3', mine ? 'items-end' : 'items-start')}>
      <div className="flex w-full gap-2">
        {picture && !mine && <div className="w-7 shrink-0 self-end">{picture}</div>}
        <Bubble message={message} menu={menu} sender={close || mine ? undefined : sender} />
      </div>
      {state === 'failed' && (
        <div
          role="alert"
          className="flex flex-wrap items-center justify-end gap-x-3 pt-1 text-sm text-danger"
        >
          <span className="text-pretty">Not sent. {problem}</span>
          {mend}
        </div>
      )}
    </div>
  )
}
