import { useEffect, useState } from 'react'

/** Returns a value once it has not changed for some milliseconds, so that typing does not send a request per letter. */
export function useSettled<Value>(value: Value, wait: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait)
    return () => clearTimeout(timer)
  }, [value, wait])
  return settled
}
