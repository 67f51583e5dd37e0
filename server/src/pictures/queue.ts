import { ApiError } from '@parley/sdk/contract/errors.ts'
import { tooMany } from '../limits/too-many.ts'

interface Turn {
  owner: string
  /** How many of the owner's own were before it: the owner with fewer goes first. */
  round: number
  start: () => void
  refuse: (error: ApiError) => void
}

/**
 * One picture at a time, in turns of the owners. Who has just been served comes after a newcomer
 * (limits/turns.ts does not promise that), so a newcomer waits for one picture of each other owner
 * at the most.
 */
export class PictureQueue {
  readonly #waiting: Turn[] = []
  #current: Turn | undefined

  /**
   * Refuses what is too much with 429, and with 503 who has none of it. A wallet with fewer than
   * others takes the place of the last of theirs.
   */
  async take<T>(owner: string, most: { ofOwner: number; ofAll: number }, work: () => Promise<T>): Promise<T> {
    const all = [...(this.#current ? [this.#current] : []), ...this.#waiting]
    const own = all.filter((turn) => turn.owner === owner)
    if (own.length >= most.ofOwner) throw refusal()
    const last = own.at(-1)
    const round = last ? last.round + 1 : (this.#current?.round ?? 0)
    if (all.length >= most.ofAll && !this.#makeRoom(round)) throw last ? refusal() : full()
    await new Promise<void>((start, refuse) => {
      this.#waiting.push({ owner, round, start, refuse })
      this.#startNext()
    })
    try {
      return await work()
    } finally {
      this.#current = undefined
      this.#startNext()
    }
  }

  /** Refuses the last picture of the wallet with most. False when nobody has more than who would be of this round. */
  #makeRoom(round: number): boolean {
    const greatest = Math.max(...this.#waiting.map((turn) => turn.round))
    if (greatest <= round) return false
    const [turn] = this.#waiting.splice(
      this.#waiting.findLastIndex((waiting) => waiting.round === greatest),
      1,
    )
    turn?.refuse(refusal())
    return true
  }

  #startNext(): void {
    if (this.#current || this.#waiting.length === 0) return
    const round = Math.min(...this.#waiting.map((turn) => turn.round))
    const next = this.#waiting.findIndex((turn) => turn.round === round)
    ;[this.#current] = this.#waiting.splice(next, 1)
    this.#current!.start()
  }
}

const refusal = () => tooMany('You are storing several pictures already. Send this one again in a second.', 1)

const full = () =>
  new ApiError('unavailable', 'Many pictures are being stored. Send it again in a second.', { retryAfter: 1 })
