import { classes } from '../ui/classes.ts'

interface Props {
  /** What the wallet does for the team. */
  label: string
  host: string
  /** When true, it is written out, where there is room. */
  whole?: boolean
}

/**
 * The sign of a wallet that is on the team of the service. The client draws it, in a colour and a shape that nothing else has; no
 * name may hold a character that looks like it.
 */
export const OfficialSign = ({ label, host, whole = false }: Props) => (
  <span
    role="img"
    aria-label={`Official: ${label} of ${host}`}
    title={`Official: ${label} of ${host}`}
    data-official=""
    className={classes(
      'ms-0.5 inline-flex shrink-0 items-center gap-1 self-center rounded-full bg-official ps-0.5 pe-2 align-middle text-xs leading-5 font-semibold text-on-official forced-colors:border',
      whole ? 'max-w-full' : 'max-w-36',
    )}
  >
    <svg viewBox="0 0 16 16" className="size-4 shrink-0" aria-hidden="true">
      <path
        fill="currentColor"
        d="M8 .8l1.9 1.3 2.3-.1.6 2.2 1.8 1.4-.9 2.1.4 2.3-2.1.9-1.1 2-2.2-.5L8 13.7l-1.7-1.3-2.2.5-1.1-2-2.1-.9.4-2.3-.9-2.1 1.8-1.4.6-2.2 2.3.1z"
      />
      <path
        className="stroke-official"
        d="M5.1 7.4l2.1 2.1 3.8-4.2"
        fill="none"
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
    <span className="truncate">{whole ? `Official: ${label}` : label}</span>
  </span>
)
