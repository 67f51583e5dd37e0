import { type RefObject, useLayoutEffect, useState } from 'react'

/** How far the end of a list is from the screen: at it, less than a few lines away, or farther. */
export type Distance = 'at' | 'near' | 'far'

const distanceOf = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): Distance => {
  const pixels = scrollHeight - scrollTop - clientHeight
  return pixels <= 40 ? 'at' : pixels <= 240 ? 'near' : 'far'
}

/** Follows that, as the list is scrolled and changes its size. */
export function useDistanceFromEnd(list: RefObject<HTMLElement | null>): Distance | undefined {
  const [distance, setDistance] = useState<Distance>()
  useLayoutEffect(() => {
    const box = list.current!
    const look = () => setDistance(distanceOf(box))
    const sizes = new ResizeObserver(look)
    for (const element of [box, ...box.children]) sizes.observe(element)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [list])
  return distance
}
