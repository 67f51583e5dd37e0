import { WalletName } from '../names/WalletName.tsx'
import { classes } from '../ui/classes.ts'
import { firstMessages, usePolicy } from './allowance.ts'

interface Props {
  peer: string
  /** The reader knows the wallet by this name. */
  title: string
  /** The wallet still takes this number of messages; undefined means no limit. */
  left: number | undefined
}

/**
 * Says what happens to a message to a wallet that has not written yet. It follows from what that wallet has chosen for
 * all others, which everybody may read: it says nothing about the wallet's opinion of the reader.
 */
export function PolicyNote({ peer, title, left }: Props) {
  const data = usePolicy(peer)
  if (!data || data.who === 'everyone' || (data.who === 'requests' && left === undefined)) return null
  return (
    <p
      role="status"
      className={classes(
        'px-4 pt-1 text-pretty wrap-anywhere',
        left === 0 ? 'text-sm font-medium' : 'text-xs text-muted',
      )}
    >
      {data.who === 'requests' &&
        (left === firstMessages
          ? `${title} doesn’t know you yet. You can send ${firstMessages} messages until they reply.`
          : left === 0
            ? whenAnswered(title)
            : `${left} of ${firstMessages} messages left until ${title} replies.`)}
      {data.who === 'contacts' && <>{title} only accepts messages from contacts.</>}
      {data.who === 'holders' && (
        <>
          {title} only accepts messages from contacts and holders of{' '}
          {data.token ? <WalletName address={data.token.contract} /> : 'a token'}.
        </>
      )}
    </p>
  )
}

const whenAnswered = (title: string) => `You can write more when ${title} replies.`
