// Within a line, markers stand in pairs around words: **strong**, *emphasis*, _emphasis_, ~~struck out~~, and `code`.

import { linksIn } from '../links.ts'
import type { FormattedElement, Part } from './part.ts'

/** A part that takes the place of a range of the text. */
interface Range {
  at: number
  end: number
  part?: FormattedElement
}

/** A marker that begins or ends an element. */
interface Edge {
  at: number
  end: number
  begins?: FormattedElement['tag']
}

/** A run of one marker, of which `length` characters from `at` on have no counterpart yet. */
interface Run {
  marker: string
  at: number
  length: number
  opens: boolean
  closes: boolean
  /** This number of pieces of other text are before it. */
  texts: number
}

/** At most this number of markers wait for their counterpart: it limits how deep elements are, and the time. */
const mostOpen = 8

/** Returns the parts of a text without blocks. */
export function inlineParts(text: string): Part[] {
  if (!/[*_~`]/.test(text)) return text === '' ? [] : [text]
  const codes = codesIn(text)
  const links = linksIn(text).map(({ at, href }) => ({ at, end: at + href.length }))
  const edges = edgesIn(text, inOrder(codes, links))
  return tree(text, inOrder<Range | Edge>(codes, edges))
}

const inOrder = <One extends { at: number }>(...lists: One[][]): One[] =>
  lists.flat().toSorted((one, other) => one.at - other.at)

/** Returns the code of a text: between two runs of the same number of backticks, of one to five, in one line. */
const codesIn = (text: string): Range[] =>
  [...text.matchAll(/(?<!`)(`{1,5})(?!`)(.*?[^`])\1(?!`)/g)]
    .filter(([, , code]) => code!.trim() !== '')
    .map(({ 0: whole, 1: run, 2: code, index: at }) => ({
      at,
      end: at + whole.length,
      // A space separates a backtick at an end from the markers.
      part: { tag: 'code', parts: [run === '`' ? code! : code!.replace(/^ (.*) $/, '$1')] },
    }))

/** Returns the markers that have a counterpart, outside of what stands as it is. */
function edgesIn(text: string, literal: { at: number; end: number }[]): Edge[] {
  const edges: Edge[] = []
  let open: Run[] = []
  for (const run of runsIn(text, literal)) {
    while (run.closes && run.length > 0) {
      const at = open.findLastIndex((one) => fits(one, run))
      if (at < 0) break
      const begin = open[at]!
      const size = Math.min(begin.length, run.length, run.marker === '_' ? 1 : 2)
      begin.length -= size
      const inner = begin.at + begin.length
      edges.push({ at: inner, end: inner + size, begins: tagOf(run.marker, size) })
      edges.push({ at: run.at, end: run.at + size })
      run.at += size
      run.length -= size
      open = open.slice(0, begin.length > 0 ? at + 1 : at)
    }
    if (!run.opens || run.length === 0) continue
    open.push(run)
    if (open.length > mostOpen) open.shift()
  }
  return edges
}

/** Markers are as long as each other, or one of them stands for two. Between them is more than other markers. */
const fits = (begin: Run, end: Run): boolean =>
  begin.marker === end.marker &&
  begin.texts < end.texts &&
  (begin.length === end.length || begin.length === 3 || end.length === 3)

const tagOf = (marker: string, size: number) => (marker === '~' ? 'del' : size === 2 ? 'strong' : 'em')

function* runsIn(text: string, literal: { at: number; end: number }[]): Generator<Run> {
  let [end, texts, skipped] = [0, 0, 0]
  for (const { 0: found, index } of text.matchAll(/[*_~]+/g)) {
    while ((literal[skipped]?.end ?? Infinity) <= index) skipped++
    if ((literal[skipped]?.at ?? Infinity) <= index) continue
    if (/\S/.test(text.slice(end, index))) texts++
    end = index + found.length
    const may = sides(text, index, end)
    for (const { 0: run, index: at } of found.matchAll(/\*+|_+|~+/g))
      if (isMarker(run[0]!, run.length))
        yield { marker: run[0]!, at: index + at, length: run.length, texts, ...may }
  }
}

/** Two underscores are part of many names in programs, and one tilde means "about". */
const isMarker = (marker: string, length: number): boolean =>
  marker === '*' ? length <= 3 : length === (marker === '_' ? 1 : 2)

/**
 * These stand on the outer side of no marker: letters and numbers, as in snake_case and 2*3*4, and what is in paths,
 * formulas, and faces such as ¯\_(ツ)_/¯. Letters without a case are left out: many of their scripts, such as Chinese,
 * put no space between words.
 */
const word = /^[\p{LC}\p{N}\\/=<>+&|@#$%^]$/u

/** Says whether the markers between two places may begin elements, or end them. */
function sides(text: string, at: number, end: number): { opens: boolean; closes: boolean } {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ' '
  const [after = ' '] = text.slice(end, end + 2)
  // Such as "*" and -_-.
  if (before === after) return { opens: false, closes: false }
  return {
    opens: !word.test(before) && !/[\s.,:;!?)\]}»”]/.test(after),
    closes: !word.test(after) && !/[\s([{«“]/.test(before),
  }
}

/** Makes elements of a text, from ranges that contain each other or are apart, in order. */
function tree(text: string, ranges: (Range | Edge)[]): Part[] {
  const whole: Part[] = []
  const open = [whole]
  let end = 0
  for (const range of ranges) {
    const parts = open.at(-1)!
    if (range.at > end) parts.push(text.slice(end, range.at))
    ;({ end } = range)
    if ('part' in range) parts.push(range.part)
    else if ('begins' in range) {
      const inner: Part[] = []
      parts.push({ tag: range.begins, parts: inner })
      open.push(inner)
    } else open.pop()
  }
  if (end < text.length) whole.push(text.slice(end))
  return whole
}
