/** Shows two halves of a speech bubble that face each other and form a pennant, the flag of a parley. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path
        className="fill-clear"
        d="M3 12.2A8.2 8.2 0 0 1 11.2 4h16.3c1.4 0 2.1 1.7 1.1 2.7l-5.6 6a7.2 7.2 0 0 1-5.1 2.1H5.2A2.2 2.2 0 0 1 3 12.6z"
      />
      <path
        className="fill-sealed"
        d="M3 19.8A8.2 8.2 0 0 0 11.2 28h16.3c1.4 0 2.1-1.7 1.1-2.7l-5.6-6a7.2 7.2 0 0 0-5.1-2.1H5.2A2.2 2.2 0 0 0 3 19.4z"
      />
    </svg>
  )
}
