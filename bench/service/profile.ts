interface Node {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}

/** A CPU profile as the inspector gives it. */
export interface Profile {
  nodes: Node[]
  samples: number[]
}

export interface Hottest {
  /** The share of the time in which there was anything to do. */
  busy: number
  functions: { share: number; where: string }[]
}

/** Returns the functions with the most busy time of their own (without callees), each with its share of it. */
export function hottest({ nodes, samples }: Profile, most = 20): Hottest {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const callers = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  )
  const counts = new Map<string, number>()
  let busy = 0
  for (const id of samples) {
    const node = byId.get(id)!
    if (node.callFrame.functionName === '(idle)') continue
    busy++
    const where = describe(node, callers.get(id))
    counts.set(where, (counts.get(where) ?? 0) + 1)
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, most)
  return {
    busy: busy / samples.length,
    functions: sorted.map(([where, count]) => ({ share: count / busy, where })),
  }
}

function describe({ callFrame: { functionName, url, lineNumber } }: Node, caller: Node | undefined): string {
  const name = functionName || '(anonymous)'
  if (url) return `${name}  ${shorten(url)}:${lineNumber + 1}`
  // Native functions have no file; their caller shows what they are for.
  return name.startsWith('(') || !caller?.callFrame.url
    ? name
    : `${name}  for ${caller.callFrame.functionName} ${shorten(caller.callFrame.url)}`
}

const shorten = (url: string) =>
  url.replace(/^.*\/(?=node_modules\/|server\/|sdk\/)/, '').replace(/^node_modules\//, '')
