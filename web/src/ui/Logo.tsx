export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path
        className="fill-accent"
        d="M16 3C8.3 3 2 8.2 2 14.6c0 3.9 2.3 7.3 5.9 9.4-.2 1.7-.9 3.3-2.1 4.6 2.7-.2 5-1.1 6.8-2.7 1.1.2 2.2.3 3.4.3 7.7 0 14-5.2 14-11.6S23.7 3 16 3z"
      />
      <path className="stroke-on-accent" strokeWidth="2.6" strokeLinecap="round" d="M10 12h12M10 17.5h7.5" />
    </svg>
  )
}
