// These posts are by wallets that the reader has blocked. They count, because others reply to them; they are hidden
// until the reader opens them.

import { type ReactNode, useMemo, useState } from 'react'
import { useBlocked } from '../names/blocked.ts'
import type { StoredMessage } from '../thread/merged.ts'
import type { Line } from '../messages/message.ts'

/** Returns the posts that are shown, and lines in place of the others. */
export function useFolded(stored: StoredMessage[]): { shown: StoredMessage[]; lines: Line[] } {
  const blocked = useBlocked()
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  return useMemo(() => {
    if (!stored.some(({ fromaddr }) => blocked.has(fromaddr))) return { shown: stored, lines: [] }
    const isHidden = ({ fromaddr, id }: StoredMessage) => blocked.has(fromaddr) && !opened.has(id)
    const runs: StoredMessage[][] = []
    for (const [i, post] of stored.entries()) {
      if (!isHidden(post)) continue
      if (i > 0 && isHidden(stored[i - 1]!)) runs.at(-1)!.push(post)
      else runs.push([post])
    }
    const show = (run: StoredMessage[]) =>
      setOpened((before) => new Set([...before, ...run.map(({ id }) => id)]))
    return {
      shown: stored.filter((post) => !isHidden(post)),
      lines: runs.map((run) => ({ at: run[0]!.timestamp, content: hiddenLine(run.length, () => show(run)) })),
    }
  }, [stored, blocked, opened])
}

const hiddenLine = (count: number, onShow: () => void): ReactNode => (
  <>
    {count === 1 ? '1 hidden message' : `${count} hidden messages`} of somebody whom you have blocked:{' '}
    <button
      type="button"
      className="min-h-6 font-semibold underline underline-offset-2 pointer-coarse:min-h-11"
      onClick={onShow}
    >
      show
    </button>
  </>
)
