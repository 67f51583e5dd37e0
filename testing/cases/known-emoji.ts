const isKnown = (text: string): boolean => /^\p{RGI_Emoji}$/v.test(text)

const joiner = '\u200d'
const skins = Array.from('🏻🏼🏽🏾🏿')
const people = Array.from('👨👩🧑👦👧🧒')

/** Returns an emoji without and with each tone of skin. */
const tonesOf = (one: string): string[] =>
  /^\p{Emoji_Modifier_Base}/u.test(one)
    ? [one, ...skins.map((skin) => one.replace('\ufe0f', '') + skin)]
    : [one]

/** Returns emoji that are joined, in all tones of skin. */
const joined = ([first, ...rest]: string[]): string[] =>
  rest.reduce(
    (texts, next) => texts.flatMap((text) => tonesOf(next).map((one) => text + joiner + one)),
    tonesOf(first!),
  )

/**
 * Returns every emoji that Unicode recommends (RGI_Emoji), some 3,900. A regular expression knows which they are and lists none,
 * so all combinations are tried.
 */
export function knownEmoji(): string[] {
  const single = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code))
    .filter((one) => /^\p{Emoji}$/u.test(one))
    .map((one) => (/^\p{Emoji_Presentation}$/u.test(one) ? one : `${one}\ufe0f`))
  const pairs = single.flatMap((one) =>
    single.filter((other) => isKnown(one + joiner + other)).map((other) => [one, other]),
  )
  const couples = people.flatMap((one) => people.map((other) => [one, other]))
  const withMiddle = couples.flatMap(([one, other]) =>
    [['❤️'], ['❤️', '💋'], ['🤝'], ['🐰'], ['🫯']].map((middle) => [one!].concat(middle, other!)),
  )
  // Families are in one tone.
  const families = couples.flatMap((parents) =>
    [...people.map((child) => [child]), ...couples].map((children) => parents.concat(children)),
  )
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(0x1f1e6 + at))
  const tags = (text: string) =>
    String.fromCodePoint(...Array.from(text, (one) => 0xe0000 + one.charCodeAt(0)))
  const found = [
    ...single.flatMap(tonesOf),
    ...Array.from('0123456789#*', (one) => `${one}\ufe0f\u20e3`),
    ...letters.flatMap((one) => letters.map((other) => one + other)),
    ...['gbeng', 'gbsct', 'gbwls'].map((region) => `🏴${tags(region)}\u{e007f}`),
    ...families.map((family) => family.join(joiner)),
    ...[...pairs, ...pairs.map((pair) => pair.concat('➡️')), ...withMiddle, ['🫱', '🫲']].flatMap(joined),
  ]
  return [...new Set(found)].filter(isKnown)
}
