import type { ReactNode } from 'react'

export function Card({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-3 rounded-2xl border border-line bg-surface p-4 sm:p-5">
      {title && <h2 className="text-base font-semibold">{title}</h2>}
      {children}
    </section>
  )
}
