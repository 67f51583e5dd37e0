import type { ReactNode } from 'react'

/** Shows a row about a wallet: its source or its subject, and the facts. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex gap-3 max-[22.5rem]:flex-col max-[22.5rem]:gap-0.5">
    <dt className="w-24 shrink-0 text-muted">{name}</dt>
    <dd className="grid min-w-0 gap-0.5 text-pretty wrap-anywhere">{children}</dd>
  </div>
)
