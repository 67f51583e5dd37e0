import { type FormattedElement, type Part, textOf } from '@parley/sdk/formatting/index.ts'
import { Fragment, type HTMLAttributes, type ReactNode } from 'react'

interface Props {
  parts: Part[]
  /** Shows a text without formatting. */
  children: (text: string) => ReactNode
}

/** Shows a formatted text. */
export const FormattedParts = ({ parts, children: show }: Props): ReactNode =>
  parts.map((part, n) => (
    // The parts of a text have no other name than their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={n}>
      {typeof part === 'string' ? show(part) : <Formatted element={part} show={show} />}
    </Fragment>
  ))

/** The direction of a block is that of its own text. */
const blocks: Partial<Record<FormattedElement['tag'], HTMLAttributes<HTMLElement>>> = {
  ul: { dir: 'auto', className: 'my-1 list-disc ps-5' },
  ol: { dir: 'auto', className: 'my-1 list-decimal' },
  blockquote: { dir: 'auto', className: 'my-1 border-s-3 border-current/40 ps-2.5' },
}

function Formatted({
  element: { tag, parts, value, language },
  show,
}: {
  element: FormattedElement
  show: Props['children']
}) {
  if (tag === 'pre') return <CodeBlock code={textOf(parts)} language={language} />
  if (tag === 'code')
    return (
      <code className="rounded-md bg-current/10 px-1 py-0.5 font-mono text-[0.9em]">{textOf(parts)}</code>
    )
  const inner = <FormattedParts parts={parts}>{show}</FormattedParts>
  if (tag === 'li') return <li value={value}>{inner}</li>
  const Tag = tag
  return (
    <Tag {...blocks[tag]} {...(tag === 'ol' && { style: { paddingInlineStart: widthOf(parts) } })}>
      {inner}
    </Tag>
  )
}

/** Returns the room that the longest number of a list takes. */
const widthOf = (items: Part[]): string => {
  const numbers = items.map((item) => (typeof item === 'string' ? 0 : (item.value ?? 0)))
  return `${String(Math.max(...numbers)).length + 1.5}ch`
}

/** Long lines scroll, by keyboard too. */
const CodeBlock = ({ code, language }: { code: string; language: string | undefined }) => (
  <div className="my-1 rounded-lg bg-current/10 font-mono text-[0.9em]">
    {language && <div className="px-3 pt-1.5 text-[0.9em] select-none">{language}</div>}
    <pre dir="auto" ref={toReach} className="scroll-calm overflow-x-auto px-3 py-2 font-mono whitespace-pre">
      <code className="font-mono">{code}</code>
    </pre>
  </div>
)

function toReach(pre: HTMLElement | null) {
  if (pre && pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0
}
