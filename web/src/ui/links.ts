// Only http and https addresses. Punctuation at the end belongs to the sentence, not to the
// address.
const link = /https?:\/\/[^\s<>"'`{}|\\^]+[^\s<>"'`{}|\\^.,:;!?)\]]/gi

/** The links in a text, and where they begin. */
export const linksIn = (text: string): { at: number; href: string }[] =>
  [...text.matchAll(link)]
    .filter(([href]) => URL.canParse(href))
    .map(({ 0: href, index }) => ({ at: index, href }))
