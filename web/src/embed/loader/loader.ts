// The script of a site that shows messages of the service: it brings the element <parley-chat>, and nothing else. Nothing is
// loaded before a person clicks its button.

import type { FromFrame, FromSite, Hello } from '../protocol.ts'
import { pathOf } from './path.ts'
import { styles } from './styles.ts'
import { findWallets, type OwnWallet } from './wallets.ts'

const service = new URL((document.currentScript as HTMLScriptElement).src).origin

const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  fields: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] => Object.assign(document.createElement(tag), fields)

/** Remembers in this tab that a wallet has signed in here, so that its badge can count. A page may be forbidden to store that. */
function mark(path: string, is?: boolean): boolean {
  try {
    if (is !== undefined) sessionStorage[`parley ${path}`] = is
    return sessionStorage[`parley ${path}`] === 'true'
  } catch {
    return false
  }
}

/** One panel of a page is open at a time. */
let closeOther = () => {}

class ParleyChat extends HTMLElement {
  #root = this.attachShadow({ mode: 'closed' })
  #end = () => {}

  connectedCallback(): void {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    this.#root.adoptedStyleSheets = [sheet]
    const path = pathOf((name) => this.getAttribute(name))
    if (path) this.#show(path)
    else console.error('<parley-chat> needs to, nft, chat or comments.')
  }

  disconnectedCallback(): void {
    this.#end()
    this.#root.replaceChildren()
  }

  #show(path: string): void {
    const text = this.getAttribute('label') ?? (/^[do]/.test(path) ? 'Message' : 'Chat')
    const button = make('button', {
      className: 'open',
      type: 'button',
      textContent: text,
      ariaExpanded: 'false',
    })
    const badge = make('b', {})
    const panel = make('div', { className: 'panel', role: 'dialog', ariaLabel: text })
    panel.popover = 'manual'
    button.append(badge)
    this.#root.replaceChildren(button, panel)

    let frame: ReturnType<typeof showFrame> | undefined
    let isOpen = false
    const toggle = (next: boolean) => {
      if (next === isOpen) return
      isOpen = next
      button.ariaExpanded = String(next)
      closeOther()
      closeOther = next ? close : () => {}
      if (next) panel.showPopover()
      else panel.hidePopover()
      frame?.show(next)
      if (!next) button.focus()
    }
    const close = () => toggle(false)
    const load = () =>
      (frame ??= showFrame(this, panel, path, {
        close,
        signed: (is) => void mark(path, is),
        unread: (count) => {
          badge.textContent = this.hasAttribute('badge') && count ? String(count) : ''
          badge.ariaLabel = `${count} unread`
        },
      }))
    button.addEventListener('click', () => {
      load()
      toggle(!isOpen)
    })
    panel.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') close()
    })
    this.#end = () => {
      if (closeOther === close) closeOther = () => {}
      frame?.end()
    }
    if (this.hasAttribute('badge') && mark(path)) load()
  }
}

interface Told {
  close: () => void
  signed: (is: boolean) => void
  unread: (count: number) => void
}

/** Loads the frame, and gives it the one channel by which it asks for a signature. */
function showFrame(site: HTMLElement & OwnWallet, panel: HTMLElement, path: string, told: Told) {
  const { port1: port, port2 } = new MessageChannel()
  let isShown = false
  const tell = (message: FromSite) => port.postMessage(message)
  const wallets = findWallets(site, path, (shown) => tell({ wallets: shown }))
  // It is below the frame, for a person whose browser does not show that.
  const way = make('a', {
    href: path.startsWith('dm') ? `${service}/${path}` : service,
    target: '_blank',
    textContent: 'Open in Parley',
  })
  const iframe = make('iframe', { src: `${service}/embed/${path}`, title: panel.ariaLabel! })
  iframe.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
  )
  const close = make('button', { className: 'close', type: 'button', textContent: '×', ariaLabel: 'Close' })
  close.addEventListener('click', told.close)
  iframe.addEventListener(
    'load',
    () => {
      const style = getComputedStyle(site)
      const looks = {
        theme: site.getAttribute('theme'),
        accent: style.getPropertyValue('--parley-accent'),
        onAccent: style.getPropertyValue('--parley-on-accent'),
        dir: style.direction,
      }
      // Only the service gets it, whatever is in the frame by now.
      iframe.contentWindow!.postMessage({ parley: 'hello', looks } satisfies Hello, service, [port2])
      wallets.showAll()
    },
    { once: true },
  )
  const answer = async ({ data }: MessageEvent<FromFrame>) => {
    if ('ask' in data) {
      const { number } = data
      try {
        tell({ answer: number, value: await wallets.answer(data) })
      } catch (error) {
        tell({ answer: number, refused: (error as Error).message })
      }
    } else if (data.tell === 'ready') {
      iframe.className = 'ready'
      if (isShown) iframe.focus()
    } else if (data.tell === 'close') told.close()
    else if (data.tell === 'signed') told.signed(data.is)
    else told.unread(data.count)
  }
  port.addEventListener('message', (event) => void answer(event))
  port.start()
  panel.append(way, iframe, close)
  return {
    show: (next: boolean) => {
      isShown = next
      tell({ shown: next })
      // A frame that is focused while it loads loses the focus for good.
      if (iframe.className) iframe.focus()
    },
    end: () => {
      wallets.stop()
      port.close()
      panel.replaceChildren()
    },
  }
}

if (!customElements.get('parley-chat')) customElements.define('parley-chat', ParleyChat)
