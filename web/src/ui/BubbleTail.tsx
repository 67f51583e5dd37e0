import { classes } from './classes.ts'

/** The tail of a bubble, at its lower corner on the side of who wrote it. */
export const BubbleTail = ({ mine, className }: { mine: boolean; className: string }) => (
  <svg
    viewBox="0 0 8 14"
    className={classes(
      'absolute bottom-0 h-3.5 w-2 forced-colors:hidden',
      mine ? 'left-full' : 'right-full -scale-x-100',
      className,
    )}
    aria-hidden="true"
  >
    <path
      d="M-1 0h1c.3 5.500 2.500 9.300 7 11.500.9.5.6 1.900-.5 2C3.500 14 1 14 -1 14z"
      fill="currentcolor"
    />
  </svg>
)
