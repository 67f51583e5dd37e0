// What is entered in a form of a page comes again with the page: a link and Back leave it without a question.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addOperator } from '../../testing/people/moderators.ts'
import { newName, newWallet } from '../../testing/service/service.ts'
import { arrive, eventually, openPerson, type Person, visit } from './person.ts'
import { useSite } from './site.ts'

// Neither is reached: they make the service offer mails and tokens.
const site = useSite({ smtpUrl: 'smtp://127.0.0.1:9', rpcUrls: { 8453: 'http://127.0.0.1:9' } })

interface Form {
  path: (own: { community: string; wallet: string }) => string
  /** The name of a field of it. */
  field: string
  text: string
  /** Shows the field. */
  open?: (page: Page) => Promise<void>
}

/** Every form of a page, by its file. */
const forms: Record<string, Form> = {
  'chat-moderation/AddModerator.tsx': {
    path: ({ community }) => `/c/${community}/moderation`,
    field: 'Add a moderator',
    text: 'somebody',
  },
  'chat-moderation/AddToTeam.tsx': {
    path: ({ community }) => `/c/${community}/moderation`,
    field: 'Add to the team',
    text: 'somebody',
  },
  'chat-moderation/RulesCard.tsx': {
    path: ({ community }) => `/c/${community}/moderation`,
    field: 'Hold posts with these words',
    text: 'airdrop\ngiveaway',
  },
  'communities/AboutFields.tsx': {
    path: ({ community }) => `/c/${community}/about`,
    field: 'Description',
    text: 'We grow vegetables on roofs.',
  },
  'communities/NewCommunityPage.tsx': {
    path: () => '/communities/new',
    field: 'Name there',
    text: 'gardeners',
  },
  'contacts/DmPolicyCard.tsx': {
    path: () => '/settings/privacy',
    field: 'Contract of the token',
    text: '0xb47e',
    open: async (page) => page.getByText('Contacts and holders of a token').click(),
  },
  // Its fields are those of a card, gates/GateCard.tsx, which keeps what is typed.
  'gates/ConditionFields.tsx': {
    path: ({ community }) => `/c/${community}/moderation`,
    field: 'Contract',
    text: '0xb47e',
    open: async (page) => page.getByRole('button', { name: 'Add a condition', exact: true }).click(),
  },
  'names/NameField.tsx': { path: () => '/settings/profile', field: 'Name', text: 'Ada Quill' },
  'operator/ActionForm.tsx': {
    path: ({ wallet }) => `/operator/wallets/${wallet}`,
    field: 'Reason',
    text: 'You sent the same message to forty people.',
  },
  'operator/AddOfficialForm.tsx': {
    path: () => '/operator/team',
    field: 'Who',
    text: 'somebody',
  },
  'settings/NotificationsCard.tsx': {
    path: () => '/settings/notifications',
    field: 'E-mail address',
    text: 'ada@example.org',
  },
}

/** These have fields and need nothing else. */
const others = [
  // It is a part of a profile, which is a dialog.
  'contacts/AliasField.tsx',
  // The panel of a site is hidden when it closes, with what is typed.
  'embed/Field.tsx',
  // It takes a secret.
  'hand-over/HandOverPage.tsx',
  // It takes a secret.
  'keys/view/Unlock.tsx',
  // It stores its own draft.
  'messages/Composer.tsx',
  // It takes a code.
  'settings/ImportedCard.tsx',
  // It saves each change at once.
  'settings/PushRules.tsx',
]

test('each form is a dialog, which asks before it closes, or a page whose form is tried here', () => {
  const src = path.join(import.meta.dirname, '../src')
  const withFields = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => {
    if (!name.endsWith('.tsx') || name.startsWith('ui/')) return false
    const text = readFileSync(path.join(src, name), 'utf8')
    return /<(TextField|TextArea|EditField|textarea)\b/.test(text) && !/<(Modal|MadeOnce)\b/.test(text)
  })
  // It has a dialog of its own beside the form.
  withFields.push('operator/ActionForm.tsx')
  expect(withFields.toSorted()).toEqual([...Object.keys(forms), ...others].toSorted())
})

/** A wallet that may see all of these pages. */
async function openOwner(): Promise<{ alice: Person; own: { community: string; wallet: string } }> {
  const alice = await openPerson(site.url)
  const own = { community: newName('gardeners'), wallet: newWallet() }
  await addOperator(site.service, alice.address)
  const client = await site.service.as(alice.address)
  await client.createCommunity({ body: { community: own.community } })
  await client.joinChat({ body: { walletaddr: alice.address, nftaddr: own.community } })
  await arrive(alice, '/requests')
  return { alice, own }
}

const fieldOf = (page: Page, { field }: Form) =>
  page.getByRole('main').getByLabel(field, { exact: true }).first()

test.concurrent.each(Object.keys(forms))(
  'what is entered in %s outlasts a way out and back, and a reload',
  async (file) => {
    const { alice, own } = await openOwner()
    await using _alice = alice
    const { page, complaints } = alice
    const form = forms[file]!
    await visit(alice, form.path(own))
    await form.open?.(page)
    await fieldOf(page, form).fill(form.text)
    await visit(alice, '/communities')
    await fieldOf(page, form).waitFor({ state: 'detached' })
    await page.goBack()
    await fieldOf(page, form).waitFor()
    expect(await fieldOf(page, form).inputValue()).toBe(form.text)
    await page.reload()
    await fieldOf(page, form).waitFor()
    expect(await fieldOf(page, form).inputValue()).toBe(form.text)
    expect(complaints).toEqual([])
  },
)

test.concurrent('a reason is that of its wallet alone, and gone once it was given; a sign-out deletes what was entered', async () => {
  const { alice, own } = await openOwner()
  await using _alice = alice
  const { page, complaints } = alice
  const form = forms['operator/ActionForm.tsx']!
  const field = fieldOf(page, form)
  const other = newWallet()
  await visit(alice, form.path(own))
  await field.fill('You pretended to be someone else.')
  await visit(alice, form.path({ ...own, wallet: other }))
  await page.getByRole('heading', { name: new RegExp(`^Wallet ${other.slice(0, 6)}`) }).waitFor()
  expect(await field.inputValue()).toBe('')
  await page.goBack()
  await page.getByRole('heading', { name: new RegExp(`^Wallet ${own.wallet.slice(0, 6)}`) }).waitFor()
  expect(await field.inputValue()).toBe('You pretended to be someone else.')
  await page.getByRole('radio', { name: 'Note' }).check()
  await field.press('Control+Enter')
  await eventually(
    () => field.inputValue(),
    (text) => expect(text).toBe(''),
  )

  await visit(alice, '/settings/profile')
  const name = fieldOf(page, forms['names/NameField.tsx']!)
  await name.fill('Ada Quill')
  await page.getByRole('button', { name: 'Your wallets and settings' }).click()
  await page.getByRole('menuitem', { name: /^Sign out/ }).click()
  await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor()
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain('Ada Quill')
  expect(complaints).toEqual([])
})
