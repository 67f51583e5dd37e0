import { shortAddress } from '../ui/address.ts'
import type { Completions } from '../ui/completion.tsx'

interface Author {
  address: string
  /** As it calls itself, by which others know it; empty without a name. */
  name: string
}

/** Completes `@` with the wallets that have written in a chat: those whose names or addresses begin so, the latest first. */
export const mentionsOf = (authors: Author[]): Completions => ({
  after: /(?<![\p{L}\p{N}_.@])@([^\n@]{0,40})$/u,
  label: 'Whom to mention',
  find(written) {
    const begin = written.toLowerCase()
    return authors
      .filter(({ address, name }) => {
        const whole = name.toLowerCase()
        return (
          whole.startsWith(begin) ||
          whole.split(' ').some((word) => word.startsWith(begin)) ||
          address.startsWith(begin)
        )
      })
      .map(({ address, name }) => ({
        insert: `@${name || address}`,
        label: name || shortAddress(address),
        hint: name && shortAddress(address),
      }))
  },
})
