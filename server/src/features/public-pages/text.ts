// Makes the text of a message into HTML, as the client shows it.

import { type FormattedElement, type Part, partsOf, textOf } from '@parley/sdk/formatting/index.ts'
import { linksIn } from '@parley/sdk/links.ts'
import { type Html, html, trusted } from '../../lib/html.ts'

/** Makes a text into HTML; `isPlain` shows it as it was typed. */
export const textAsHtml = (text: string, isPlain: boolean): Html[] =>
  (isPlain ? [text] : partsOf(text)).map(partAsHtml)

const partAsHtml = (part: Part): Html => (typeof part === 'string' ? linked(part) : elementAsHtml(part))

// These are tags of the formatter. White space between them would show.
function elementAsHtml({ tag, parts, value }: FormattedElement): Html {
  if (tag === 'pre') return html`<pre tabindex="0"><code>${textOf(parts)}</code></pre>`
  if (tag === 'code') return html`<code>${textOf(parts)}</code>`
  const inner = parts.map((part) => partAsHtml(part).markup).join('')
  const attributes = tag === 'li' && value !== undefined ? html` value="${value}"`.markup : directions[tag]
  return trusted(`<${tag}${attributes ?? ''}>${inner}</${tag}>`)
}

/** The direction of a block is that of its own text. */
const directions: Partial<Record<FormattedElement['tag'], string>> = {
  ul: ' dir="auto"',
  ol: ' dir="auto"',
  blockquote: ' dir="auto"',
}

/** Shows where a link leads, as a browser goes there: letters that imitate others show. */
function linked(text: string): Html {
  const shown: Html[] = []
  let end = 0
  for (const { at, href } of linksIn(text)) {
    const there = new URL(href).href
    shown.push(
      html`${text.slice(end, at)}<a href="${there}" rel="nofollow ugc noopener noreferrer">${there}</a>`,
    )
    end = at + href.length
  }
  return html`${shown}${text.slice(end)}`
}
