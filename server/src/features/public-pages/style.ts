/** This is the style of public pages. It has the colours of the client (web/src/theme.css). */
export const style = `
:root { color-scheme: light dark; --paper: #f6f5f2; --card: #fff; --ink: #1c1b19; --quiet: #66625b; --line: #e4e1da; --act: #1f5f4a; --on-act: #fff }
@media (prefers-color-scheme: dark) {
  :root { --paper: #151513; --card: #1f1e1b; --ink: #eeebe4; --quiet: #a39e94; --line: #35332e; --act: #8fd3b6; --on-act: #10261d }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
a { color: var(--act); overflow-wrap: anywhere }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
header { position: sticky; top: 0; background: var(--card); border-bottom: 1px solid var(--line) }
header > div, main, footer { max-width: 44rem; margin: 0 auto; padding: .75rem 1rem }
header > div { display: flex; align-items: center; gap: 1rem }
header div div { flex: 1; min-width: 0 }
h1 { margin: 0; font-size: 1.125rem; line-height: 1.3; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
header p { margin: 0; color: var(--quiet); font-size: .875rem }
.act { flex: none; padding: .5rem 1rem; border-radius: .625rem; background: var(--act); color: var(--on-act); font-weight: 600; text-decoration: none }
h2 { margin: 1.75rem 0 .75rem; color: var(--quiet); font-size: .8125rem; font-weight: 600; text-align: center }
article { margin: 0 0 .5rem; padding: .625rem .875rem; background: var(--card); border: 1px solid var(--line); border-radius: .875rem; scroll-margin-top: 5rem }
article:target { border-color: var(--act) }
.by { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .5rem; margin: 0; font-size: .875rem }
.by b { overflow-wrap: anywhere }
.by, .more { color: var(--quiet) }
.by b { color: var(--ink) }
.by a { color: inherit }
.text { white-space: pre-wrap; overflow-wrap: anywhere }
.text :is(ul, ol, blockquote, pre) { margin: .25rem 0; white-space: pre-wrap }
.text :is(ul, ol) { padding-inline-start: 1.75rem }
.text blockquote { padding-inline-start: .625rem; border-inline-start: 3px solid var(--line) }
.text :is(pre, code) { border-radius: .375rem; background: var(--paper); font: .9em/1.5 ui-monospace, monospace }
.text code { padding: .0625rem .25rem }
.text pre { padding: .5rem .75rem; overflow-x: auto; white-space: pre }
.text pre code { padding: 0; background: none }
.more { margin: .25rem 0 0; font-size: .875rem }
.note, footer { color: var(--quiet); font-size: .875rem; text-wrap: pretty }
nav { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem 1.5rem; padding: .5rem 0 }
`
