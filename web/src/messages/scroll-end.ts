import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react'

/** The end of a list is at the screen, less than a few lines away, or farther. */
export type Distance = 'at' | 'near' | 'far'

const nearby = (pixels: number): Distance => (pixels <= 40 ? 'at' : pixels <= 240 ? 'near' : 'far')
const toEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight

/**
 * Follows that distance as the list is scrolled and changes its size. When the list gets smaller, because what is below
 * it grows, or longer, because a card in it was loaded, `toTheEnd` runs for a reader who was there. `placed` is the
 * offset to which the list scrolled last by itself: any other offset is the reader's choice. A reader who was at the
 * end is there until then: while rows are measured and earlier messages come, the list is somewhere else for a moment.
 */
export function useDistanceFromEnd(
  list: RefObject<HTMLElement | null>,
  placed: RefObject<number | undefined>,
  toTheEnd: () => void,
): Distance | undefined {
  const [distance, setDistance] = useState<Distance>()
  const stay = useEffectEvent(toTheEnd)
  useLayoutEffect(() => {
    const box = list.current!
    let [height, length, top] = [box.clientHeight, box.scrollHeight, box.scrollTop]
    let staysAtEnd = nearby(toEnd(box)) === 'at'
    const look = () => {
      const pixels = toEnd(box)
      // A reader who scrolls up leaves the end. Content that grows there, or that is added or measured above, does not
      // move the reader away from it.
      if (nearby(pixels) === 'at') staysAtEnd = true
      else if (box.scrollTop < top && box.scrollTop !== placed.current) staysAtEnd = false
      top = box.scrollTop
      setDistance(staysAtEnd ? 'at' : nearby(pixels))
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
  }, [list, placed])
  return distance
}
