import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react'

/** How far the end of a list is from the screen: at it, less than a few lines away, or farther. */
export type Distance = 'at' | 'near' | 'far'

const nearby = (pixels: number): Distance => (pixels <= 40 ? 'at' : pixels <= 240 ? 'near' : 'far')
const toEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight

/**
 * Follows that, as the list is scrolled and changes its size. When the list gets smaller, because
 * what is below it grows, or longer, because a card in it was loaded, `toTheEnd` is called for a reader
 * who was there.
 */
export function useDistanceFromEnd(
  list: RefObject<HTMLElement | null>,
  toTheEnd: () => void,
): Distance | undefined {
  const [distance, setDistance] = useState<Distance>()
  const stay = useEffectEvent(toTheEnd)
  useLayoutEffect(() => {
    const box = list.current!
    let [height, length, top, staysAtEnd] = [box.clientHeight, box.scrollHeight, box.scrollTop, false]
    const look = () => {
      const pixels = toEnd(box)
      // Who scrolls up leaves the end; what grows there does not take the reader away from it.
      if (nearby(pixels) === 'at') staysAtEnd = true
      else if (box.scrollTop < top) staysAtEnd = false
      top = box.scrollTop
      setDistance(nearby(pixels))
    }
    const sizes = new ResizeObserver(() => {
      if ((box.clientHeight < height || box.scrollHeight > length) && staysAtEnd) stay()
      ;[height, length] = [box.clientHeight, box.scrollHeight]
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
