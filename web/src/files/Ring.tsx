import type { ReactNode } from 'react'

interface Props {
  /** It is of this file. */
  label: string
  /** It is from 0 to 1; undefined while that is not known. */
  part: number | undefined
  children?: ReactNode
}

const radius = 17
const around = 2 * Math.PI * radius

/** Shows how much of a file is here. What it surrounds is in its middle. */
export function Ring({ label, part, children }: Props) {
  const percent = part === undefined ? undefined : Math.round(part * 100)
  return (
    <span className="relative grid size-10 shrink-0 place-items-center">
      <svg
        viewBox="0 0 40 40"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className={
          part === undefined
            ? 'absolute inset-0 size-full animate-spin'
            : 'absolute inset-0 size-full -rotate-90'
        }
      >
        <circle cx="20" cy="20" r={radius} fill="none" stroke="currentcolor" strokeWidth="3" opacity="0.25" />
        <circle
          cx="20"
          cy="20"
          r={radius}
          fill="none"
          stroke="currentcolor"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray={around}
          strokeDashoffset={around * (1 - Math.max(part ?? 0.25, 0.02))}
        />
      </svg>
      {children}
    </span>
  )
}
