/**
 * Returns the name that a community gets when this is typed. Names have no white space and none of `/ \ ? # %`, so
 * words are joined by hyphens in small letters. A valid name stays as it is, and so does a link, for which the service
 * says what is wrong.
 */
export function suggestedName(typed: string): string {
  const text = typed.trim()
  if (!/[\s/\\?#%]/.test(text) || /^\S+\.\S+\/|:\/\//.test(text)) return text
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}._~-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
}
