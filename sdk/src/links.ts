// This matches only http and https addresses. Punctuation at the end belongs to the sentence, not to the address; so do the
// markers of a formatted text.
const link = /https?:\/\/[^\s<>"'`{}|\\^]+[^\s<>"'`{}|\\^.,:;!?)\]*_~]/gi

/** Returns the links in a text, and where they begin. */
export const linksIn = (text: string): { at: number; href: string }[] =>
  [...text.matchAll(link)]
    .filter(([href]) => URL.canParse(href))
    .map(({ 0: href, index }) => ({ at: index, href }))
