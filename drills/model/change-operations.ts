// These are the operations on messages that are there: edits, reactions and pins, in conversations and in chats.

import { ApiError } from '@parley/sdk'
import { edit, setPin, setReactions, versionFor } from './marks.ts'
import { type Acts, type Choice, done, type Outcome } from './operation.ts'
import type { Real } from './real.ts'
import { decisionOf, hasBlocked, isSeen, type State } from './state.ts'

const [gone, refused, meanwhile] = ['gone', 'refused', 'edited meanwhile']

const orRefused = (error: unknown): Outcome => {
  if (error instanceof ApiError && error.code === 'not_found') return gone
  if (error instanceof ApiError && error.code === 'forbidden') return refused
  if (error instanceof ApiError && error.code === 'conflict') return error.current ? meanwhile : refused
  throw error
}

type Message = State['messages'][number]
const peerOf = ({ from, to }: Message, by: number) => (from === by ? to : from)

const find = ({ messages }: State, text: string, by: number) =>
  messages.find((one) => one.text === text && [one.from, one.to].includes(by) && isSeen(one, by))
const findPost = ({ posts }: State, text: string) => posts.find((post) => post.text === text)

/** Returns the emoji of a choice: none, or up to three. */
const emojiOf = (which: number) => ['🎉', '👍', '❤️'].filter((_, i) => which & (1 << i)).toSorted()

/** A wallet adds nothing to a conversation that it has not accepted, or whose other end it has blocked. */
const mayAdd = (state: State, by: number, peer: number) =>
  by === peer || (!hasBlocked(state, by, peer) && decisionOf(state, by, peer) === 'accepted')

/** The other end does not see what a wallet adds that it has blocked or not accepted. */
const isUnseenBy = (state: State, peer: number, by: number) =>
  by !== peer && (hasBlocked(state, peer, by) || decisionOf(state, peer, by) !== 'accepted')

const ofId = (real: Real, text: string) => real.ids.get(text)!

/** Edits with the revision that the author has seen, or with 0. Some edits return to the first text. */
function editing({ by, which, read, via }: Choice, state: State, text: string, next: string) {
  const known = find(state, text, by) ?? findPost(state, text)
  const revision = known && read ? versionFor(known, by).revision : 0
  const message = which % 4 === 0 ? text : next
  const run = (real: Real) =>
    real
      .client(by, via)
      .editMessage({ id: ofId(real, text), body: { message, revision } })
      .then(() => done, orRefused)
  return { revision, message, run }
}

export const editDirect = (picked: Choice, before: State, text: string, next: string): Acts => {
  const { by } = picked
  const { revision, message: becomes, run } = editing(picked, before, text, next)
  return {
    steps: [
      (state) => {
        const message = find(state, text, by)
        if (!message) return gone
        if (message.from !== by) return refused
        const peer = message.to
        if (versionFor(message, by).revision === revision && by !== peer && hasBlocked(state, by, peer))
          return refused
        const isUnseen = !message.withheld && by !== peer && hasBlocked(state, peer, by)
        return edit(message, revision, becomes, isUnseen)
      },
    ],
    run,
  }
}

export const editPost = (picked: Choice, before: State, text: string, next: string): Acts => {
  const { revision, message: becomes, run } = editing(picked, before, text, next)
  return {
    steps: [
      (state) => {
        const post = findPost(state, text)!
        return post.from === picked.by ? edit(post, revision, becomes, false) : refused
      },
    ],
    run,
  }
}

const reacting =
  ({ by, which, via }: Choice, text: string): Acts['run'] =>
  (real) =>
    real
      .client(by, via)
      .react({ id: ofId(real, text), body: { values: emojiOf(which) } })
      .then(() => done, orRefused)

export const reactDirect = (picked: Choice, text: string): Acts => ({
  steps: [
    (state) => {
      const { by } = picked
      const values = emojiOf(picked.which)
      const message = find(state, text, by)
      if (!message) return gone
      const peer = peerOf(message, by)
      if (values.length > 0 && !mayAdd(state, by, peer)) return refused
      setReactions(message, by, values, message.withheld === true || isUnseenBy(state, peer, by))
      return done
    },
  ],
  run: reacting(picked, text),
})

export const reactPost = (picked: Choice, text: string): Acts => ({
  steps: [
    (state) => {
      setReactions(findPost(state, text)!, picked.by, emojiOf(picked.which), false)
      return done
    },
  ],
  run: reacting(picked, text),
})

const pinning = (real: Real, client: ReturnType<Real['client']>, { read }: Choice, text: string) =>
  (read ? client.pinMessage({ id: ofId(real, text) }) : client.unpinMessage({ id: ofId(real, text) })).then(
    () => done,
    orRefused,
  )

export const pinDirect = (picked: Choice, text: string): Acts => ({
  steps: [
    (state) => {
      const { by, read } = picked
      const message = find(state, text, by)
      if (!message) return gone
      const peer = peerOf(message, by)
      if (read && !mayAdd(state, by, peer)) return refused
      setPin(message, by, read, isUnseenBy(state, peer, by))
      return done
    },
  ],
  run: (real) => pinning(real, real.client(picked.by, picked.via), picked, text),
})

/** The owner of the community pins its posts, in the place of the first wallet. The other wallets may not. */
export const pinPost = (picked: Choice, text: string): Acts => ({
  steps: [
    (state) => {
      const post = findPost(state, text)!
      if (picked.by !== 0 || post.chat !== 0) return refused
      setPin(post, 0, picked.read, false)
      return done
    },
  ],
  run: (real) =>
    pinning(real, picked.by === 0 ? real.owner : real.client(picked.by, picked.via), picked, text),
})
