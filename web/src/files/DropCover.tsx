import { Lock } from 'lucide-react'

/** Says where dropped files go. The thread below it gets the drop. */
export const DropCover = ({ to, isSealed }: { to: string; isSealed: boolean }) => (
  <div
    className={`pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-2xl border-2 border-dashed border-channel bg-channel-soft/80 p-4 ${isSealed ? 'channel-sealed' : 'channel-clear'}`}
  >
    <p className="flex max-w-full items-center gap-2 rounded-full bg-raised px-4 py-2 font-semibold text-channel shadow-float">
      {isSealed && <Lock className="size-4 shrink-0" aria-hidden="true" />}
      <span className="truncate">Drop to send to {to}</span>
      {isSealed && <span className="shrink-0">· encrypted</span>}
    </p>
  </div>
)
