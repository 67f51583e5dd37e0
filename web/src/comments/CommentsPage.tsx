import { Page } from '../ui/Page.tsx'

export function CommentsPage() {
  return <Page title="Comments">…</Page>
}
