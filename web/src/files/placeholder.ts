// What stands in the room of a picture until it is loaded.

import { fromBase64 } from '@parley/sdk/bytes.ts'
import { useEffect, useState } from 'react'
import type { ShownFile } from './shown.ts'

const drawn = new Map<string, string>()

async function draw(hash: string): Promise<string> {
  const { thumbHashToDataURL } = await import('thumbhash')
  const url = thumbHashToDataURL(fromBase64(hash))
  drawn.set(hash, url)
  return url
}

/**
 * Returns the address of a small picture that is part of the message: what can be seen in it where `isClear` is true, else
 * only its colours.
 */
export function usePlaceholder({ thumbhash, preview }: ShownFile, isClear: boolean): string | undefined {
  const [, setDrawn] = useState(0)
  const hash = isClear && preview ? undefined : thumbhash
  useEffect(() => {
    if (hash === undefined || drawn.has(hash)) return
    // A hash that is none is not drawn.
    draw(hash).then(
      () => setDrawn((count) => count + 1),
      () => {},
    )
  }, [hash])
  if (hash !== undefined) return drawn.get(hash)
  // The browser sees by its bytes which kind of picture it is.
  return isClear && preview
    ? `data:image/jpeg;base64,${preview.replaceAll('-', '+').replaceAll('_', '/')}`
    : undefined
}
