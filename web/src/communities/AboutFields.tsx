import { mostAboutBytes, mostTags } from '@parley/sdk'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import { type EnteredAbout, tagProblem } from './about.ts'

interface Props {
  entered: EnteredAbout
  onChange: (part: Partial<EnteredAbout>) => void
}

/** The fields in which the owner of a community says what it is about. */
export const AboutFields = ({ entered: { about, tags }, onChange }: Props) => (
  <>
    <TextArea
      label="Description"
      hint="A sentence or two for people who have never heard of it."
      most={mostAboutBytes}
      value={about}
      onChange={(text) => onChange({ about: text })}
    />
    <TextField
      label="Tags"
      hint={`Up to ${mostTags}, with commas between them. People find the community by them.`}
      error={tagProblem(tags)}
      placeholder="gardening, berlin"
      value={tags}
      autoComplete="off"
      dir="auto"
      onChange={(event) => onChange({ tags: event.target.value })}
    />
  </>
)
