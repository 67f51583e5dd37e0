import type { ComponentType } from 'react'
import { Bubble } from './Bubble.tsx'
import { classes } from '../ui/classes.ts'
import type { Message, MessageActs } from './message.ts'
import { ReactionPills } from './MessageMarks.tsx'
import { SwipeToReply } from './SwipeToReply.tsx'
import { sameDay } from '../state/time.ts'

/** A page adds these parts to its messages. */
export interface MessageParts {
  menu: ComponentType<{ message: Message }>
  /** This is the picture of a sender, for threads of more than two people. Their names are visible there too. */
  picture?: ComponentType<{ address: string }> | undefined
  /** This is shown beside the name of a sender. */
  mark?: ComponentType<{ address: string }> | undefined
  /** These are omitted where messages only stand: no reactions, replies and edits. */
  acts?: MessageActs | undefined
  /** These are the buttons for a message that could not be sent. */
  failedActions: ComponentType<{ message: Message }>
}

interface Props extends MessageParts {
  message: Message
  /** This is true for the first message of its sender on its day. */
  isFirst: boolean
  before: Message | undefined
  after: Message | undefined
}

/** Shows a message in the list: close to the one before when the same person sent both, else with a gap. */
export function MessageRow({
  message,
  isFirst,
  before,
  after,
  menu,
  picture: Picture,
  mark,
  acts,
  failedActions: FailedActions,
}: Props) {
  const { mine, fromaddr, state, problem, reactions } = message
  const follows = continues(message, before)
  const followed = after !== undefined && continues(after, message)
  return (
    <div
      className={classes('flex flex-col', follows ? 'pt-0.5' : 'pt-3', mine ? 'items-end' : 'items-start')}
    >
      <SwipeToReply onReply={acts?.may(message).reply ? () => acts.begin('reply', message) : undefined}>
        {Picture && !mine && (
          <div className="w-7 shrink-0 self-end">{!followed && <Picture address={fromaddr} />}</div>
        )}
        <Bubble
          {...{ message, follows, followed, menu, mark, acts }}
          stamped={Picture === undefined && isFirst}
          named={Picture !== undefined && !follows && !mine}
        />
      </SwipeToReply>
      {acts && (reactions || message.sealedReactions) && (
        <div className={classes('flex', Picture && !mine && 'ps-9.5')}>
          <ReactionPills {...{ message, acts }} reactions={reactions ?? []} />
        </div>
      )}
      {state === 'waiting' && problem && (
        <p role="status" className="pt-1 text-end text-sm text-pretty wrap-anywhere text-muted">
          Waiting to be sent. {problem}
        </p>
      )}
      {state === 'failed' && (
        <div
          role="alert"
          className="flex flex-wrap items-center justify-end gap-x-3 pt-1 text-sm text-danger"
        >
          <span className="text-pretty wrap-anywhere">Couldn’t send. {problem}</span>
          <FailedActions message={message} />
        </div>
      )}
    </div>
  )
}

const gap = 5 * 60_000

/** Returns true when both are by the same sender on the same day, less than five minutes apart. */
const continues = (message: Message, before: Message | undefined): boolean =>
  before !== undefined &&
  before.fromaddr === message.fromaddr &&
  sameDay(before.timestamp, message.timestamp) &&
  Date.parse(message.timestamp) - Date.parse(before.timestamp) < gap
