import { type RefObject, useLayoutEffect, useState } from 'react'

/** How far the end of a list is from the screen: at it, less than a few lines away, or farther. */
export type Distance = 'at' | 'near' | 'far'

const nearby = (pixels: number): Distance => (pixels <= 40 ? 'at' : pixels <= 240 ? 'near' : 'far')
const toEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight

/**
 * Follows that, as the list is scrolled and changes its size. Keeps the end on the screen when the
 * list gets smaller, because what is below it grows.
 */
export function useDistanceFromEnd(list: RefObject<HTMLElement | null>): Distance | undefined {
  const [distance, setDistance] = useState<Distance>()
  useLayoutEffect(() => {
    const box = list.current!
    const look = () => setDistance(nearby(toEnd(box)))
    let height = box.clientHeight
    const sizes = new ResizeObserver(() => {
      const lost = height - box.clientHeight
      height = box.clientHeight
      if (lost > 0 && nearby(toEnd(box) - lost) === 'at') box.scrollTop += lost
      look()
    })
    for (const element of [box, ...box.children]) sizes.observe(element)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [list])
  return distance
}
