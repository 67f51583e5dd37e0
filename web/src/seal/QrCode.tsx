import encodeQr from 'qr'
import { Seal } from './Seal.tsx'

interface Props {
  text: string
  /** The seal of this address or name is in the middle, if given. */
  seed?: string
  /** Screen readers read this label. */
  label: string
}

/** A reader needs these modules around the code to find it. */
const border = 4

/**
 * Shows a QR code, with a seal in its middle if `seed` is given. It is dark on white in every theme: many readers know
 * no other. The seal hides less than a twentieth of it, and the code may lose a quarter.
 */
export function QrCode({ text, seed, label }: Props) {
  const rows = encodeQr(text, 'raw', { ecc: seed ? 'quartile' : 'medium', border })
  const size = rows.length
  // The number of modules is odd, like the side.
  const hole = Math.floor((size - 2 * border) / 10) * 2 + 1
  const begin = (size - hole) / 2
  const isHidden = (at: number) => seed !== undefined && at >= begin && at < begin + hole
  const path = rows
    .flatMap((row, y) =>
      row.map((dark, x) => (dark && !(isHidden(x) && isHidden(y)) ? `M${x} ${y}h1v1h-1z` : '')),
    )
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className="block size-full rounded-2xl"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#121a18" shapeRendering="crispEdges" />
      {seed && (
        <svg x={begin + 0.5} y={begin + 0.5} width={hole - 1} height={hole - 1}>
          <Seal seed={seed} />
        </svg>
      )}
    </svg>
  )
}
