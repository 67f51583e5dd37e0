import { Page } from '../ui/Page.tsx'

export function SettingsPage() {
  return <Page title="Profile and settings">…</Page>
}
