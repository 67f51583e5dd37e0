// Runs before the first paint, by itself: what the page shows until the client has loaded is that of
// the theme chosen in this browser (ui/theme.ts), and of whether a wallet is signed in
// (service/session.ts). It is a script of its own and imports nothing.

try {
  const { dataset } = document.documentElement
  const theme = localStorage.getItem('parley.theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  if (JSON.parse(localStorage.getItem('parley.accounts') ?? '{}')?.current) dataset.account = ''
} catch {
  // The client tells what is wrong with the storage.
}
