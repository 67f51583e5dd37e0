import { lazy, Suspense } from 'react'

const QrCode = lazy(async () => ({ default: (await import('../seal/QrCode.tsx')).QrCode }))

interface Props {
  link: string
  /** The seal of this address or name is in the middle. */
  seed?: string
  label: string
  /** The caption says what happens when somebody scans it. */
  caption: string
}

export const QrFigure = ({ link, seed, label, caption }: Props) => (
  <figure className="grid w-full max-w-52 grid-cols-1 content-start gap-2 justify-self-center sm:justify-self-auto">
    <div className="aspect-square rounded-2xl border border-line bg-white">
      <Suspense>
        <QrCode text={link} {...(seed !== undefined && { seed })} label={label} />
      </Suspense>
    </div>
    <figcaption className="text-center text-sm text-balance text-muted">{caption}</figcaption>
  </figure>
)
