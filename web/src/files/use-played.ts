import { useCallback, useEffect, useRef, useState } from 'react'
import { type Loaded, setFailed, useLoaded } from './kept.ts'
import { openPlayed, type Played, playsByRanges } from './played.ts'
import type { ShownFile } from './shown.ts'

/** A file is loaded as a whole, or an element plays it at an address of this page. */
type Playable = Loaded | { state: 'plays'; url: string }

/**
 * Returns what is known of a file that is shown or played, what begins that, and what is called where its element cannot play it:
 * that returns true when the whole file is loaded instead.
 */
export function usePlayed(
  file: ShownFile,
  isWanted: boolean,
): [playable: Playable, begin: () => void, loadWhole: () => boolean] {
  const [isByRanges, setByRanges] = useState(() => playsByRanges(file))
  const [hasBegun, setBegun] = useState(false)
  const isBegun = isWanted || hasBegun
  const [loaded, load] = useLoaded(file, isBegun && !isByRanges)
  const [url, setUrl] = useState<string>()
  const played = useRef<Played>(undefined)
  const isWhole = loaded.state === 'here' && url === undefined
  const isPlaying = isByRanges && isBegun && !isWhole && loaded.state !== 'failed'
  useEffect(() => {
    if (!isPlaying) return undefined
    const opened = openPlayed(file, (problem) => problem && setFailed(file, problem))
    played.current = opened
    setUrl(opened.url)
    return () => {
      opened.close()
      setUrl(undefined)
    }
  }, [file, isPlaying])
  const begin = useCallback(() => {
    setBegun(true)
    if (isByRanges) setFailed(file, undefined)
    else load()
  }, [file, isByRanges, load])
  const loadWhole = useCallback(() => {
    if (!isByRanges || played.current?.isAsked()) return false
    setByRanges(false)
    return true
  }, [isByRanges])
  return [isPlaying && url !== undefined ? { state: 'plays', url } : loaded, begin, loadWhole]
}
