import type { ReactNode } from 'react'
import { useServiceInfo } from '../service/info.ts'

/** Says when messages are deleted, unless the service stores them forever. A chat may delete its own sooner. */
export function RetentionNote({ children }: { children?: ReactNode }) {
  const days = useServiceInfo()?.retention_days
  return (
    <>
      {days && (
        <p className="mx-auto max-w-sm px-4 pt-4 text-center text-xs text-pretty text-muted">
          Messages are deleted after {days === 1 ? 'a day' : `${days} days`} at the latest.
        </p>
      )}
      {children}
    </>
  )
}
