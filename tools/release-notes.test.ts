import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { notesOf } from './release-notes.ts'

const changelog = `# Changelog

## Unreleased

### Added

- What comes.

## 0.2.0 (2027-01-31)

### Fixed

- What was wrong.

## 0.1.0
`

test('the notes of a release are its part of the changelog', () => {
  expect(notesOf(changelog)).toBe('## Added\n\n- What comes.')
  expect(notesOf(changelog, '0.2.0')).toBe('## Fixed\n\n- What was wrong.')
})

test('a release without notes is refused, with the versions that there are', () => {
  expect(() => notesOf(changelog, '0.1.0')).toThrow('no notes of 0.1.0')
  expect(() => notesOf(changelog, '0.3.0')).toThrow('Unreleased, 0.2.0, 0.1.0')
})

test('the changelog has notes of what is not released yet', () => {
  expect(notesOf(readFileSync('CHANGELOG.md', 'utf8'))).toContain('## Messages')
})
