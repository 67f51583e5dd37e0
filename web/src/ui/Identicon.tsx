import { memo } from 'react'

/** A picture computed from a text, so that a wallet has the same one everywhere. */
export const Identicon = memo(function Identicon({ seed }: { seed: string }) {
  const random = randomFrom(seed.toLowerCase())
  const hue = Math.floor(random() * 360)
  const background = `hsl(${hue} 42% 88%)`
  const colours = [`hsl(${hue} 48% 38%)`, `hsl(${(hue + 40 + random() * 80) % 360} 52% 52%)`]
  const cells: { x: number; y: number; fill: string }[] = []
  for (let y = 0; y < 5; y++)
    for (let x = 0; x < 3; x++) {
      const draw = random()
      if (draw < 0.45) continue
      const fill = colours[draw < 0.82 ? 0 : 1]!
      cells.push({ x, y, fill })
      if (x < 2) cells.push({ x: 4 - x, y, fill })
    }
  return (
    <svg viewBox="0 0 9 9" className="size-full" aria-hidden="true" focusable="false">
      <rect width="9" height="9" fill={background} />
      {cells.map(({ x, y, fill }) => (
        <rect key={`${x},${y}`} x={x + 2} y={y + 2} width="1.02" height="1.02" fill={fill} />
      ))}
    </svg>
  )
})

/** Pseudo-random numbers from 0 to 1, computed from a seed (FNV-1a, then xorshift). */
function randomFrom(seed: string): () => number {
  let state = 2_166_136_261
  for (const char of seed) state = Math.imul(state ^ char.codePointAt(0)!, 16_777_619)
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
