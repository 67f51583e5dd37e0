// This module finds the selects of a statement, one within the other, and what each reads: for rules about joins (dialect.ts).

interface Source {
  /** The name of a table or a common table expression; `()` for a select in parentheses. */
  name: string
  alias: string
}

/** A select, or the statement around it. */
export interface Level {
  /** Its text, with `()` for what stands in parentheses. */
  own: string
  whole: string
  sources: Source[]
  /** The levels in parentheses. */
  inner: Level[]
  /** True when it stands in `from`. */
  isSource: boolean
}

/** Returns the text from a parenthesis that was just opened to the one that closes it. */
export function insideOf(text: string): string {
  let depth = 1
  const end = Array.from(text).findIndex(
    (letter) => (depth += letter === '(' ? 1 : letter === ')' ? -1 : 0) === 0,
  )
  return text.slice(0, end < 0 ? undefined : end)
}

/** Returns the levels of a text: one, or one for each part of a union. */
export function levelsOf(text: string, isSource = false): Level[] {
  const levels: Level[] = []
  const begin = () => {
    const level: Level = { own: '', whole: '', sources: [], inner: [], isSource }
    levels.push(level)
    return level
  }
  let level = begin()
  for (let at = 0; at < text.length; at++) {
    const union = /^(?:union|intersect|except) (?:all )?/.exec(text.slice(at, at + 14))?.[0]
    if (union && /[ )]$/.test(level.own)) {
      level = begin()
      at += union.length - 1
      continue
    }
    const inside = text[at] === '(' ? insideOf(text.slice(at + 1)) : undefined
    if (inside === undefined) {
      level.own += text[at]
      level.whole += text[at]
      continue
    }
    level.inner.push(...levelsOf(inside, /\b(?:from|join|lateral|,) $/.test(level.own)))
    level.own += '()'
    level.whole += `(${inside})`
    at += inside.length + 1
  }
  for (const one of levels) one.sources = sourcesOf(one.own)
  return levels
}

const ends = 'from|where|group by|order by|limit|offset|for|set|returning|using|loop'
const noAlias = /^(?:on|using|where|set|left|right|full|inner|cross|join|for|tablesample)$/

const sourcesOf = (own: string): Source[] =>
  Array.from(own.matchAll(new RegExp(`\\b(?:from|update|using) (.+?)(?= (?:${ends})\\b|$)`, 'g')))
    .flatMap(([, list]) => list!.split(/, ?| (?:(?:left|right|full|inner|cross|outer) )*join /))
    .flatMap((item) => {
      const [, name, alias] = /^(?:lateral )?(?:only )?(\w+|\(\))(?: as)?(?: (\w+))?/.exec(item.trim()) ?? []
      return name === undefined
        ? []
        : [{ name, alias: alias === undefined || noAlias.test(alias) ? name : alias }]
    })

/** Returns true when a level uses columns of an alias that it has from a level around it. */
export const mentions = ({ own, sources, inner }: Level, alias: string): boolean =>
  !sources.some((source) => source.alias === alias) &&
  (new RegExp(`(?<![\\w.])${alias}\\.`).test(own) || inner.some((level) => mentions(level, alias)))
