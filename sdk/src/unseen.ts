// These functions find the characters of a text that a person does not see, and know where Unicode has a use for them: one rule
// for names, for what programs write, for what is typed and for what a language model reads.
//
// Unseen are controls, format characters (zero-width, marks of direction), tags, variation selectors, fillers, and symbols that
// are blank. Two kinds have a place:
// - a selector, a joiner or tags in an emoji (UTS #51). The selectors of an emoji may be missing, as in ENS names.
// - a joiner of a script in a context of RFC 5892, appendix A: behind a virama, or where it prevents two letters from joining. A
//   letter stands on each side of it, so none is at an end.
// Everywhere else they carry what nobody reads, or make two texts that look the same.

/** A part of a text that is not seen: where it begins, and its character. */
export interface Unseen {
  at: number
  character: string
}

// White space counts as seen. So do the signs that stand around numbers in Arabic and other scripts, which Unicode has as format
// characters. Three blanks are symbols or marks in Unicode: in Braille, in musical notes, in the Khitan small script.
const seen = String.raw`[\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`
const hidden = String.raw`(?!${seen})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]`
const any = new RegExp(hidden, 'u')
const each = new RegExp(hidden, 'gu')

const classOf = (ranges: string): string =>
  ranges
    .trim()
    .split(' ')
    .map((range) => range.replace(/[0-9a-f]+/g, String.raw`\u{$&}`))
    .join('')

// This is Unicode data that regular expressions do not know: characters whose Canonical_Combining_Class is Virama, letters that
// join on both sides or to what follows (Joining_Type D and L), and letters that join to what precedes (R).
const viramas = classOf(
  '94d 9cd a4d acd b4d bcd c4d ccd d3b d3c d4d dca e3a eba f84 1039 103a 1714 1715 1734 17d2 1a60 1b44 1baa ' +
    '1bab 1bf2 1bf3 2d7f a806 a82c a8c4 a953 a9c0 aaf6 abed 10a3f 11046 11070 1107f 110b9 11133 11134 111c0 11235 ' +
    '112ea 1134d 11442 114c2 115bf 1163f 116b6 1172b 11839 1193d 1193e 119e0 11a34 11a47 11a99 11c3f 11d44 11d45 ' +
    '11d97 113ce 113cf 113d0 11f41 11f42 1612f ',
)
const joinsNext = classOf(
  '620 626 628 62a-62e 633-63f 641-647 649-64a 66e-66f 678-687 69a-6bf 6c1-6c2 6cc 6ce 6d0-6d1 6fa-6fc 6ff ' +
    '712-714 71a-71d 71f-727 729 72b 72d-72e 74e-758 75c-76a 76d-770 772 775-777 77a-77f 7ca-7ea 841-845 848 ' +
    '84a-853 855 860 862-865 868 886 889-88d 8a0-8a9 8af-8b0 8b3-8b8 8ba-8c8 1807 1820-1878 1887-18a8 18aa ' +
    'a840-a872 10ac0-10ac4 10acd 10ad3-10adc 10ade-10ae0 10aeb-10aee 10b80 10b82 10b86-10b88 10b8a-10b8b 10b8d ' +
    '10b90 10bad-10bae 10d00-10d21 10d23 10f30-10f32 10f34-10f44 10f51-10f53 10f70-10f73 10f76-10f81 10fb0 ' +
    '10fb2-10fb3 10fb8 10fbb-10fbc 10fbe-10fbf 10fc1 10fc4 10fca-10fcb 1e900-1e943 ',
)
const joinsBefore = classOf(
  '622-625 627 629 62f-632 648 671-673 675-677 688-699 6c0 6c3-6cb 6cd 6cf 6d2-6d3 6d5 6ee-6ef 710 715-719 71e ' +
    '728 72a 72c 72f 74d 759-75b 76b-76c 771 773-774 778-779 840 846-847 849 854 856-858 867 869-86a 870-882 88e ' +
    '8aa-8ac 8ae 8b1-8b2 8b9 10ac5 10ac7 10ac9-10aca 10ace-10ad2 10add 10ae1 10ae4 10aef 10b81 10b83-10b85 10b89 ' +
    '10b8c 10b8e-10b8f 10b91 10ba9-10bac 10d22 10f33 10f54 10f74-10f75 10fb4-10fb6 10fb9-10fba 10fbd 10fc2-10fc3 ' +
    '10fc9 ',
)
const marks = String.raw`[\p{Mn}\p{Me}]{0,4}`
const joiner = new RegExp(
  String.raw`(?<=[${viramas}])[\u200c\u200d](?=\p{L})|(?<=[${joinsNext}]${marks})\u200c(?=${marks}[${joinsNext}${joinsBefore}])`,
  'uy',
)

// This matches what may be an emoji (UTS #51, 1.4.9). Digits, # and * are one only as a keycap.
const element = String.raw`(?:[0-9#*][\ufe0e\ufe0f]?\u20e3|(?![0-9#*])\p{Emoji}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?(?:[\u{e0020}-\u{e007e}]{1,16}\u{e007f})?)`
const emoji = new RegExp(`${element}(?:\\u200d${element}){0,7}`, 'gu')
// It is made when it is needed: a browser from before 2023 does not know it, and need not fail where there is no such sequence.
let recommended: RegExp | undefined
/** Returns true for one emoji, as Unicode recommends it (UTS #51, RGI). */
export const isEmoji = (text: string): boolean =>
  (recommended ??= new RegExp(String.raw`^\p{RGI_Emoji}$`, 'v')).test(text)
const textSymbol = /(?![0-9#*])(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu

/** Returns true when a sequence with joiners or tags is an emoji that Unicode recommends. */
const isKnown = (sequence: string): boolean =>
  !sequence.includes('\ufe0e') && isEmoji(sequence.replaceAll('\ufe0f', '').replace(textSymbol, '$&\ufe0f'))

/** Returns the positions of the characters that belong to emoji. */
function ofEmoji(text: string): Set<number> {
  const places = new Set<number>()
  for (const { 0: sequence, index } of text.matchAll(emoji)) {
    if (!any.test(sequence)) continue
    const whole = !/[\u200d\u{e0020}-\u{e007f}]/u.test(sequence) || isKnown(sequence)
    for (const { 0: character, index: at } of sequence.matchAll(each))
      if (whole || character === '\ufe0f') places.add(index + at)
  }
  return places
}

/** Yields the characters of a text that are not seen and have no place there. */
function* findUnseen(text: string): Generator<Unseen, undefined> {
  // Most texts end here.
  if (!any.test(text)) return undefined
  const emojis = ofEmoji(text)
  for (const { 0: character, index: at } of text.matchAll(each)) {
    joiner.lastIndex = at
    if (!emojis.has(at) && !joiner.test(text)) yield { at, character }
  }
  return undefined
}

/** Returns the characters of a text that are not seen and have no place there. */
export const unseenIn = (text: string): Unseen[] => Array.from(findUnseen(text))

const firstUnseen = (text: string): Unseen | undefined => findUnseen(text).next().value

export const hasUnseen = (text: string): boolean => firstUnseen(text) !== undefined

/** Returns a text without the characters that are not seen and have no place there. */
export const withoutUnseen = (text: string): string => shownAs(text, () => '')

/** Returns a text with a mark in place of each character that is not seen and has no place there. */
function shownAs(text: string, mark: (character: string) => string): string {
  let end = 0
  let shown = ''
  for (const { at, character } of unseenIn(text)) {
    shown += text.slice(end, at) + mark(character)
    end = at + character.length
  }
  return shown + text.slice(end)
}

/** Removes unseen characters and white space from the ends of a text, where they are copied along with it. Others stay. */
export function trimUnseen(text: string): string {
  const places = unseenIn(text)
  const ends = new Map(places.map(({ at, character }) => [at + character.length, at]))
  const begins = new Map(places.map(({ at, character }) => [at, at + character.length]))
  const isSpace = (at: number) => text[at]?.trim() === ''
  let [from, to] = [0, text.length]
  for (
    let next: number | undefined = 0;
    next !== undefined;
    next = begins.get(from) ?? (isSpace(from) ? from + 1 : undefined)
  )
    from = next
  for (
    let next: number | undefined = to;
    next !== undefined && next >= from;
    next = ends.get(to) ?? (isSpace(to - 1) ? to - 1 : undefined)
  )
    to = next
  return text.slice(from, to)
}

/** Returns the code of a character as Unicode writes it: U+200B. */
export const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/** Names the unseen characters of a text, as the end of a sentence; undefined when there are none. */
export function unseenProblem(text: string): string | undefined {
  const first = firstUnseen(text)
  return first && `it has the invisible character ${codeOf(first.character)} at position ${first.at}`
}
