import { Button } from '../ui/Button.tsx'
import { showHandOver } from './handing-over.ts'
import { canHandOver } from './secret.ts'

export const HandOverButton = () => (
  <Button
    className="justify-self-start"
    whyDisabled={!canHandOver() && 'Open this page over https first.'}
    onClick={showHandOver}
  >
    Sign in another browser
  </Button>
)
