// This is what a message of the model has besides its first text: its edits, its reactions and its pin. An edit, a reaction or a
// pin may be one that only the wallet sees that made it.

interface Version {
  revision: number
  text: string
  /** Only the author of the message sees it. */
  own?: true
}

export interface Marked {
  /** The first text, which names the message. */
  text: string
  from: number
  /** The version that all see, where it is not the first one, and the one that the author alone sees. */
  shown?: Version
  own?: Version
  /** What stood before, in the order of revisions. */
  edits?: Version[]
  reactions?: { by: number; values: string[]; unseen: boolean }[]
  pin?: { by: number; unseen: boolean }
  /** The first text of the message that this one replies to. */
  reply?: string
}

/** A message as a list shows it. */
export interface Shown {
  text: string
  revision?: number
  reactions?: { value: string; count: number; mine?: true }[]
  pinned?: true
  reply?: string
}

/** Returns the version that a wallet sees; nobody is -1. */
export const versionFor = ({ text, from, shown, own }: Marked, wallet: number): Version =>
  (from === wallet ? own : undefined) ?? shown ?? { revision: 0, text }

export function shownTo(message: Marked, wallet: number): Shown {
  const { text, revision } = versionFor(message, wallet)
  const seen = (message.reactions ?? []).filter(({ by, unseen }) => !unseen || by === wallet)
  const counted = countsOf(seen.map(({ by, values }) => ({ values, mine: by === wallet })))
  const isPinned = message.pin && (!message.pin.unseen || message.pin.by === wallet)
  return {
    text,
    ...(revision > 0 && { revision }),
    ...(counted.length > 0 && { reactions: counted }),
    ...(isPinned && { pinned: true as const }),
    ...(message.reply !== undefined && { reply: message.reply }),
  }
}

/** Counts the reactions of wallets as a list has them: the most frequent one first. */
export function countsOf(all: { values: string[]; mine: boolean }[]): NonNullable<Shown['reactions']> {
  const countOf = (value: string) => {
    const those = all.filter((one) => one.values.includes(value))
    const isMine = those.some(({ mine }) => mine)
    return { value, count: those.length, ...(isMine && { mine: true as const }) }
  }
  return [...new Set(all.flatMap((one) => one.values))]
    .map(countOf)
    .toSorted((one, other) => other.count - one.count || bytes(one.value).compare(bytes(other.value)))
}

const bytes = (text: string) => Buffer.from(text)

/** Returns what stood before, as a wallet sees it. */
export function earlierFor(message: Marked, wallet: number): { revision: number; text: string }[] {
  const isAuthor = message.from === wallet
  const all = [
    ...(message.edits ?? []).filter(({ own }) => !own || isAuthor),
    // For its author, what all others see is an earlier version.
    ...(isAuthor && message.own ? [versionFor(message, -1)] : []),
  ]
  return all.toSorted(byRevision).map(({ revision, text }) => ({ revision, text }))
}

const byRevision = (one: Version, other: Version) => one.revision - other.revision

/** Edits a message that its author has seen at a revision. */
export function edit(message: Marked, revision: number, text: string, isUnseen: boolean): string {
  const seen = versionFor(message, message.from)
  if (seen.revision !== revision) return 'edited meanwhile'
  if (revision >= 10) return 'refused'
  if (seen.text === text) return 'done'
  const keep = (version: Version) => {
    message.edits = [
      ...(message.edits ?? []).filter((one) => one.revision !== version.revision),
      version,
    ].toSorted(byRevision)
  }
  const next = { revision: revision + 1, text }
  if (!isUnseen) keep(versionFor(message, -1))
  if (message.own) keep({ ...message.own, own: true })
  delete message.own
  if (isUnseen) message.own = next
  else message.shown = next
  return 'done'
}

/** Sets all reactions of a wallet to a message. */
export function setReactions(message: Marked, by: number, values: string[], unseen: boolean): void {
  const others = (message.reactions ?? []).filter((one) => one.by !== by)
  message.reactions = (values.length > 0 ? [...others, { by, values, unseen }] : others).toSorted(
    (one, other) => one.by - other.by,
  )
}

export function setPin(message: Marked, by: number, pinned: boolean, unseen: boolean): void {
  const isPinned = message.pin !== undefined && (!message.pin.unseen || message.pin.by === by)
  if (isPinned === pinned) return
  if (pinned) message.pin = { by, unseen }
  else delete message.pin
}

/** Removes what a wallet has added to a message: it is erased. */
export function forgetReactionsOf(message: Marked, wallet: number): void {
  if (message.reactions) setReactions(message, wallet, [], false)
}
