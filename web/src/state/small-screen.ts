import { useSyncExternalStore } from 'react'

/** On such a screen a page has room for little more than its decision, as at a zoom of 200 %. */
const small = matchMedia('(max-height: 480px), (max-width: 360px)')

function follow(onChange: () => void): () => void {
  small.addEventListener('change', onChange)
  return () => small.removeEventListener('change', onChange)
}

export const useSmallScreen = (): boolean => useSyncExternalStore(follow, () => small.matches)
