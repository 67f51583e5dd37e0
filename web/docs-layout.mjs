// The HTML around the text of a page of docs.

/** Text as HTML. */
export const escape = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign])

/** A whole page. `before` and `after` are its neighbours in the list of `pages`. */
export function layout({ groups, name, title, html, headings, pages, before, after, style, script, icon }) {
  const link = (page) =>
    `<li><a href="/docs/${page.name}"${page.name === name ? ' aria-current="page"' : ''}>${escape(page.title)}</a></li>`
  const lists = Object.entries(groups).map(
    ([group, of]) =>
      `<h2>${group}</h2><ul>${pages
        .filter(({ file }) => of.includes(file))
        .map(link)
        .join('')}</ul>`,
  )
  const contents = headings
    .filter(({ depth }) => depth === 2 || headings.length < 25)
    .map(({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escape(text)}</a></li>`)
  const step = (page, word, rel) =>
    page
      ? `<a rel="${rel}" href="/docs/${page.name}"><small>${word}</small> ${escape(page.title)}</a>`
      : '<span></span>'
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escape(title)} · Parley docs</title>
    <link rel="icon" type="image/svg+xml" href="${icon}">
    <link rel="stylesheet" href="${style}">
    <script type="module" src="${script}"></script>
  </head>
  <body>
    <a class="skip" href="#content">To the text</a>
    <header class="top">
      <a class="home" href="/docs/start"><img src="${icon}" alt="" width="28" height="28">Parley docs</a>
      <div class="search" role="search">
        <input id="search-docs" type="search" placeholder="Search" aria-label="Search the docs" autocomplete="off" spellcheck="false">
        <kbd aria-hidden="true">/</kbd>
        <div id="results" role="region" aria-label="Results" hidden></div>
      </div>
      <nav class="elsewhere" aria-label="Elsewhere"><a href="/docs/index.html">API reference</a><a href="/">Open Parley</a></nav>
    </header>
    <div class="columns">
      <nav class="pages" aria-label="Pages"><details open><summary>All pages</summary>${lists.join('')}</details></nav>
      <main id="content">
${html}
        <nav class="steps" aria-label="Next and before">${step(before, 'Before', 'prev')}${step(after, 'Next', 'next')}</nav>
      </main>
      ${contents.length > 1 ? `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${contents.join('')}</ul></nav>` : '<span></span>'}
    </div>
  </body>
</html>
`
}
