import type { ReactNode } from 'react'

/**
 * Shows the reading part, and beside it the decision, which stays in view: one is below the other when the page has no
 * room for both. Windows of 1100 pixels have room.
 */
export const TwoColumns = ({ aside, children }: { aside: ReactNode; children: ReactNode }) => (
  <div className="grid grid-cols-1 items-start gap-6 @min-[43rem]:grid-cols-[minmax(0,1fr)_minmax(18rem,22rem)]">
    <div className="grid min-w-0 grid-cols-1 gap-6">{children}</div>
    <div className="min-w-0 @min-[43rem]:sticky @min-[43rem]:top-20">{aside}</div>
  </div>
)
