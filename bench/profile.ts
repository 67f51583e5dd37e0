/** A CPU profile as the inspector gives it. */
export interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
}

/** The functions that the samples were in most often, with their share. */
export function hottest({ nodes, samples }: Profile, most = 20): { share: number; where: string }[] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const file = url.replace(/^.*\/(?=node_modules\/|server\/|sdk\/)/, '').replace(/^node_modules\//, '')
      return [id, `${functionName || '(anonymous)'}${file && `  ${file}:${lineNumber + 1}`}`]
    }),
  )
  const counts = new Map<string, number>()
  for (const id of samples) counts.set(names.get(id)!, (counts.get(names.get(id)!) ?? 0) + 1)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([where, count]) => ({ share: count / samples.length, where }))
}
