import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useEmojiNames } from '../messages/emoji/names.ts'
import type { Message } from '../messages/message.ts'
import { useName } from '../names/profile.ts'
import { shortAddress } from '../seal/address.ts'
import { client } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { newReaction, type NewReaction } from './new-reaction.ts'

/** One announcement follows another after these milliseconds: of several reactions the last one is announced. */
const pause = 5_000

/** No emoji has more characters. */
const longestEmoji = 40

/** Says to screen readers who has reacted to a message of the reader's own. */
export function ReactionNews({ messages }: { messages: Message[] }) {
  const me = useMe()
  const [said, setSaid] = useState<NewReaction & { wallet: string }>()
  const saidAt = useRef(-Infinity)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const say = async (reaction: NewReaction) => {
    saidAt.current = performance.now()
    setSaid({ ...reaction, wallet: reaction.wallet ?? (await onlyReactor(reaction, me)) })
  }
  const hear = useEffectEvent(() => {
    const reaction = newReaction.get()
    if (!reaction || !messages.some(({ id, mine }) => mine && id === reaction.id)) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void say(reaction), saidAt.current + pause - performance.now())
  })
  useEffect(() => {
    const stop = newReaction.subscribe(() => hear())
    return () => {
      stop()
      clearTimeout(timer.current)
    }
  }, [])
  return (
    <p role="status" className="sr-only">
      {said && <Sentence key={said.at} {...said} />}
    </p>
  )
}

function Sentence({ wallet, value }: { wallet: string; value: string }) {
  const me = useMe()
  const { name } = useName(wallet || me)
  const nameOf = useEmojiNames([value])
  const who = wallet === me ? 'You' : wallet ? name || shortAddress(wallet) : 'Somebody'
  // An encrypted one is opened where it is shown.
  return value.length > longestEmoji ? `${who} reacted` : `${who} reacted with ${nameOf(value)}`
}

/** An event of a chat does not say who reacted. Returns the wallet where only one has that reaction, else nothing. */
async function onlyReactor({ id, value }: NewReaction, me: string): Promise<string> {
  const query = value.length > longestEmoji ? {} : { value }
  const all = await client.listReactions({ id, query }).catch(() => [])
  const [one, another] = all.filter(({ fromaddr, values }) => fromaddr !== me && values.includes(value))
  return another ? '' : (one?.fromaddr ?? '')
}
