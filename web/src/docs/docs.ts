// This file adds to Swagger UI on the docs page: the style of the web client, and a button that signs in with a new
// throw-away key, so that everything can be tried without a wallet. The service adds this file to the page
// (server/src/http/docs-files.ts).

import logo from '../favicon.svg'
import { type SwaggerUi, signInAnew } from './throw-away.ts'
import './docs.css'

type Bundle = (config: object) => SwaggerUi
const page = window as unknown as { SwaggerUIBundle: Bundle }

// The page makes its Swagger UI once everything has loaded, and does not share the object.
const bundle = page.SwaggerUIBundle
page.SwaggerUIBundle = Object.assign((config: object) => {
  const button = element('button', 'Try without a wallet', { type: 'button', disabled: true })
  const ui = bundle({
    ...config,
    requestInterceptor: withKeyOfItsOwn,
    onComplete: () => {
      button.disabled = false
      const introduction = document.querySelector('.information-container')
      introduction?.setAttribute('role', 'region')
      introduction?.setAttribute('aria-label', 'Introduction')
    },
  })
  document.body.prepend(header(ui, button))
  return ui
}, bundle)

/**
 * Replaces the key of the example, which would make the second request with it a repetition of the first, or an error.
 */
function withKeyOfItsOwn(request: { headers: Record<string, string> }) {
  if (request.headers['idempotency-key']) request.headers['idempotency-key'] = crypto.randomUUID()
  return request
}

function header(ui: SwaggerUi, button: HTMLButtonElement): HTMLElement {
  const status = element(
    'p',
    'No wallet at hand? This makes a new key in this page, signs in with it here, and fills in “Authorize” and the examples. Reloading the page forgets the key. What you send is really sent.',
    { role: 'status' },
  )
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      const address = await signInAnew(ui)
      status.replaceChildren(
        'Signed in as ',
        element('code', address),
        ' until you reload this page. Every “Try it out” works now, and the examples are of this wallet.',
      )
      button.textContent = 'Take another key'
    } catch (error) {
      status.textContent = `That did not work: ${error instanceof Error ? error.message : String(error)}`
    }
    button.disabled = false
  })
  const home = element('a', '', { href: '/', className: 'home' })
  home.append(element('img', '', { src: logo, alt: '', width: 28, height: 28 }), 'Parley')
  const top = element('div', '', { className: 'top' })
  top.append(home, element('a', 'Guides', { href: '/docs/start' }))
  const bar = element('header', '', { className: 'bar' })
  const row = element('div', '', { className: 'try-it' })
  row.append(button, status)
  bar.append(top, row)
  return bar
}

function element<T extends keyof HTMLElementTagNameMap>(
  name: T,
  text: string,
  properties: Partial<HTMLElementTagNameMap[T]> = {},
): HTMLElementTagNameMap[T] {
  const made = Object.assign(document.createElement(name), properties)
  if (text) made.textContent = text
  return made
}
