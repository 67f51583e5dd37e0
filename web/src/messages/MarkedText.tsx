import { codeOf, unseenIn, withoutUnseen } from '@parley/sdk/unseen'
import { Fragment, type ReactNode } from 'react'

/** A text shows at most this many marks: a hidden text may have thousands of characters. */
const most = 50

/** These change the order of what is shown, or carry a hidden text. Others, such as soft hyphens, are in many copied texts. */
const misleading = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u

const asItIs = (part: string): ReactNode => part

interface Props {
  text: string
  /** When true, every invisible character is a mark; else only those that change the order or carry a hidden text. */
  all?: boolean
  /** Shows the text between two marks; as it is when left out. */
  children?: (part: string) => ReactNode
}

/** Shows a text in which misplaced invisible characters are marks. */
export function MarkedText({ text, all = false, children: show = asItIs }: Props) {
  if (!all && !misleading.test(text)) return show(text)
  const found = unseenIn(text).filter(({ character }) => all || misleading.test(character))
  const ends = found.map(({ at, character }) => at + character.length)
  const rest = text.slice(ends[Math.min(most, found.length) - 1] ?? 0)
  return (
    <>
      {found.slice(0, most).map(({ at, character }, index) => (
        <Fragment key={at}>
          {show(text.slice(ends[index - 1] ?? 0, at))}
          <span className="rounded-md bg-warn-soft px-1 text-xs font-medium whitespace-nowrap text-warn">
            hidden character {codeOf(character)}
          </span>
        </Fragment>
      ))}
      {show(found.length > most ? withoutUnseen(rest) : rest)}
    </>
  )
}
