import { ApiError } from '@parley/sdk'
import { editDirect, editPost, pinDirect, pinPost, reactDirect, reactPost } from './change-operations.ts'
import { inChats, reach } from './chat-operations.ts'
import { type Acts, type Choice, done, type Operation, type Outcome } from './operation.ts'
import { consent } from './consent-operations.ts'
import { decide, hasBlocked, isSeen, postsOf, type Sent, type State } from './state.ts'

const [gone, blocked] = ['gone', 'blocked']
const orRefused = (error: unknown): Outcome => {
  if (error instanceof ApiError && error.code === 'conflict') return blocked
  return orGone(error)
}
const orGone = (error: unknown): Outcome => {
  if (error instanceof ApiError && error.code === 'not_found') return gone
  throw error
}

/** Makes an operation from a choice; `sent` and `posted` are all messages that were ever sent, `text` is a new one. */
export function operationOf(picked: Choice, sent: Sent[], state: State, text: string): Operation {
  const name = `${picked.do} ${JSON.stringify(picked)}`
  const old = sent.length > 0 ? sent[picked.which % sent.length] : undefined
  const lacksOld = !old && ofOld.has(picked.do)
  if (picked.do === 'send' || lacksOld || (picked.do === 'resend' && old!.forgotten))
    return { name, ...send(picked, text) }
  if (state.posts.length === 0 && ofPost.has(picked.do)) return { name, ...inChats.post(picked, text) }
  switch (picked.do) {
    case 'resend':
      return { name, ...resend(picked, old!) }
    case 'mark':
      return { name, ...mark(picked, old!) }
    case 'read':
      return { name, ...readTo(picked, old!) }
    case 'delete':
      return { name, ...remove(picked, old!) }
    case 'clear':
      return { name, ...clear(picked) }
    case 'hide':
      return { name, ...hide(picked, old!) }
    case 'hideAll':
      return { name, ...hideAll(picked) }
    case 'reach': {
      const posts = postsOf(state, picked.to)
      return { name, ...reach(picked, posts[picked.which % posts.length]?.text) }
    }
    case 'reply':
      return { name, ...send(picked, text, newest(sent, picked)!.text) }
    case 'edit':
      return { name, ...editDirect(picked, state, newest(sent, picked)!.text, text) }
    case 'react':
      return { name, ...reactDirect(picked, newest(sent, picked)!.text) }
    case 'pin':
      return { name, ...pinDirect(picked, newest(sent, picked)!.text) }
    case 'editPost':
      return { name, ...editPost(picked, state, newest(state.posts, picked)!.text, text) }
    case 'reactPost':
      return { name, ...reactPost(picked, newest(state.posts, picked)!.text) }
    case 'pinPost':
      return { name, ...pinPost(picked, newest(state.posts, picked)!.text) }
    case 'post':
    case 'enter':
    case 'join':
    case 'leave':
      return { name, ...inChats[picked.do](picked, text) }
    default:
      return { name, ...consent[picked.do](picked) }
  }
}

const ofOld = new Set(['resend', 'mark', 'read', 'delete', 'hide', 'reply', 'edit', 'react', 'pin'])
const ofPost = new Set(['editPost', 'reactPost', 'pinPost'])

/** Mostly one of the newest two, so that several wallets change the same message at the same moment. */
const newest = <One>(all: readonly One[], { which }: Choice): One | undefined =>
  all.at(which < 40 ? -1 - (which % Math.min(2, all.length)) : which % all.length)

/** Sends a message, which may reply to another one. One replies only to what one sees in the same conversation. */
const send = ({ by, to, via }: Choice, text: string, reply?: string): Acts => ({
  steps: [
    (state) => {
      const quoted = reply === undefined ? undefined : find(state, reply, by)
      if (reply !== undefined && !(quoted && isBetween(quoted, by, to))) return gone
      if (hasBlocked(state, by, to)) return blocked
      const withheld = hasBlocked(state, to, by)
      state.messages.push({
        text,
        from: by,
        to,
        read: by === to,
        ...(withheld && { withheld }),
        ...(reply !== undefined && { reply }),
      })
      // Writing to a wallet accepts it.
      decide(state, by, to, 'accepted')
      return done
    },
  ],
  run: (real) => real.send({ text, from: by, to, reply }, via).then(() => done, orRefused),
})

/** Repeats the request with the same key: it returns the first message again, and stores nothing. */
const resend = ({ via }: Choice, old: Sent): Acts => ({
  steps: [() => `first ${old.text}`],
  run: async (real) =>
    (await real.send(old, via)) === real.ids.get(old.text) ? `first ${old.text}` : 'another',
})

// There are three steps: find the message, mark it, read it again.
const mark = ({ read, via }: Choice, { text, from, to }: Sent): Acts => ({
  steps: [
    (state) => (find(state, text, to) ? undefined : gone),
    (state) => {
      const message = find(state, text, to)
      if (!message || from === to || message.read === read) return undefined
      message.read = read
      // Withheld messages before it are read with it.
      if (read)
        for (const one of state.messages.slice(0, state.messages.indexOf(message)))
          if (one.withheld && one.from === from && one.to === to) one.read = true
      return undefined
    },
    (state) => {
      const message = find(state, text, from) ?? find(state, text, to)
      return message ? `read ${message.read}` : gone
    },
  ],
  run: (real) => real.mark(text, { from, to, read }, via).then((is) => `read ${is}`, orGone),
})

/** The recipient reads up to a message, which may be deleted. */
const readTo = ({ via }: Choice, { text, from, to }: Sent): Acts => ({
  steps: [
    ({ messages }) => {
      const end = messages.findIndex((message) => message.text === text)
      const received = messages.filter((one) => one.from === from && one.to === to && isSeen(one, to))
      const withheld = messages.filter(
        (one) => one.withheld && one.from === from && one.to === to && !one.erased?.includes(to),
      )
      for (const message of [...received, ...withheld])
        if (messages.indexOf(message) <= end) message.read = true
      return `unread ${received.filter(({ read }) => !read).length}`
    },
  ],
  run: async ({ client, wallets, ids }) => {
    const body = { id: ids.get(text)!, context_type: 'dm' } as const
    const { id, unread } = await client(to, via).markReadTo({ addr: wallets[from]!, body })
    return id === body.id ? `unread ${unread}` : 'not all'
  },
})

const remove = ({ via }: Choice, { text, from, to }: Sent): Acts => ({
  steps: [
    (state) => (find(state, text, from) ? undefined : gone),
    (state) => {
      const message = find(state, text, from) ?? find(state, text, to)
      if (message) message.deleted = true
      return done
    },
  ],
  run: (real) =>
    real
      .client(from, via)
      .deleteDirectMessage({ id: real.ids.get(text)! })
      .then(() => done, orGone),
})

const clear = ({ by, to, via }: Choice): Acts => ({
  steps: [
    (state) => {
      for (const message of state.messages)
        if (isBetween(message, by, to) && !message.erased?.includes(by)) message.deleted = true
      return done
    },
  ],
  run: ({ client, wallets }) =>
    client(by, via)
      .deleteConversation({ fromaddr: wallets[by]!, toaddr: wallets[to]! })
      .then(() => done),
})

/** One end deletes a message only for itself. A third wallet gets the response that there is none. */
const hide = ({ by, via }: Choice, { text, from, to }: Sent): Acts => ({
  steps: [
    (state) => ([from, to].includes(by) && find(state, text, by) ? undefined : gone),
    (state) => {
      const message = find(state, text, by)
      if (message) {
        message.hidden = [...(message.hidden ?? []), by]
        message.read ||= message.to === by
      }
      return done
    },
  ],
  run: (real) =>
    real
      .client(by, via)
      .hideMessage({ id: real.ids.get(text)! })
      .then(() => done, orGone),
})

const hideAll = ({ by, to, via }: Choice): Acts => ({
  steps: [
    ({ messages }) => {
      for (const message of messages)
        if (isBetween(message, by, to)) message.erased = [...(message.erased ?? []), by]
      return done
    },
  ],
  run: ({ client, wallets }) =>
    client(by, via)
      .hideConversation({ toaddr: wallets[to]! })
      .then(() => done),
})

const isBetween = ({ from, to }: Sent, one: number, other: number) =>
  (from === one && to === other) || (from === other && to === one)

const find = ({ messages }: State, text: string, by: number) =>
  messages.find((message) => message.text === text && isSeen(message, by))
