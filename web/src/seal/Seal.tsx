import { memo } from 'react'
import { sealOf } from './seal.ts'

interface Props {
  /** The seed is an address, or the name of a community. */
  seed: string
  /** When true, it has no rim and fills a square: the picture of a group. The coin is for a wallet. */
  square?: boolean
}

/** Shows the seal of an address as a coin. It fills its parent, and screen readers skip it. */
export const Seal = memo(function Seal({ seed, square = false }: Props) {
  const { field, rim, middle } = sealOf(seed)
  return (
    <svg
      viewBox={square ? '11 11 78 78' : '0 0 100 100'}
      className="block size-full"
      aria-hidden="true"
      focusable="false"
    >
      {square ? (
        <rect x="11" y="11" width="78" height="78" fill={field} />
      ) : (
        <>
          <circle cx="50" cy="50" r="50" fill={field} />
          <path {...rim} />
        </>
      )}
      {middle.map((part) => (
        <path key={`${part.fill} ${part.d}`} {...part} />
      ))}
    </svg>
  )
})
