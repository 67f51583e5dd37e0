/** Returns the parts of the path of a frame below `/embed/`: its kind, and what it is about. */
export const partsOf = (path: string): string[] =>
  path
    .replace(/\?.*/, '')
    .split('/')
    .map((part) => decodeURIComponent(part))

/**
 * Returns what a site may do that shows a conversation, a chat or comments: that, and nothing else. The script on the site and the
 * page in its frame both know it from the path of the frame.
 */
export function scopesOf(path: string): string[] {
  const [kind, one, two] = partsOf(path)
  if (kind === 'chat') return [`chat:${one}`]
  if (kind === 'comments') return [`comments:${one}:${two}`]
  // The name of the other wallet, and whether the two encrypt, is for every wallet to read.
  return [`dm:${one}`, 'public:read']
}
