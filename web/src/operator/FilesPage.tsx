import { useSearchParams } from 'react-router'
import { Page } from '../ui/Page.tsx'
import { BlockedList } from './BlockedList.tsx'
import { BlockFileForm } from './BlockFileForm.tsx'
import { OperatorNav } from './OperatorNav.tsx'

/** Shows which files the service does not take. A link from a report names the file that is to be blocked. */
export function FilesPage() {
  const [search] = useSearchParams()
  const named = search.get('sha256') ?? ''
  return (
    <Page title="Blocked files">
      <OperatorNav />
      <BlockFileForm key={named} named={named} />
      <BlockedList />
    </Page>
  )
}
