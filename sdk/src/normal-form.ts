// These are the normal forms of Unicode, in time that grows with the text: marks in a row are sorted, which takes time that grows
// with the square of their number. Lint lets nothing else call `normalize`.

/** The limit comes from UAX #15 (Stream-Safe Text Format): no language writes more. */
const mostMarks = 30
const beyond = new RegExp(String.raw`(\p{M}{${mostMarks}})\p{M}+`, 'gu')
/** Returns a text in a normal form, without the marks that stand behind 30 others. */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replace(beyond, '$1').normalize(form)
