import { readdirSync } from 'node:fs'
import { defineConfig, type DummyRuleMap } from 'oxlint'

/** The floors of server/src, lowest first: a folder imports only from those before it (ARCHITECTURE.md). */
const floors = [
  ['lib'],
  ['values'],
  ['config'],
  ['telemetry'],
  ['db'],
  ['instances'],
  ['auth'],
  ['limits'],
  ['jobs'],
  ['mail'],
  ['outside'],
  ['chains'],
  ['pictures'],
  ['files'],
  ['messages'],
  ['cluster'],
  ['live'],
  ['context.ts'],
  ['http'],
  ['feature.ts'],
  ['floors.ts'],
  ['features', 'backup', 'check'],
  ['operate', 'app.ts', 'background.ts'],
  ['serve.ts', 'main.ts', 'parley.ts', 'shutdown.ts'],
]

/** The floors of web/src, lowest first. */
const webFloors = [
  ['state'],
  ['ui'],
  ['seal'],
  ['messages'],
  ['docs', 'worker'],
  ['service'],
  ['sanctions'],
  ['names'],
  ['device-store'],
  ['thread'],
  ['passkeys'],
  ['sign-in'],
  ['keys'],
  ['files'],
  ['first-run', 'moderation', 'nfts', 'suggested'],
  ['hand-over'],
  ['inbox'],
  ['search'],
  ['offline', 'profile'],
  ['contacts', 'public-reading'],
  ['gates'],
  ['chat-moderation'],
  ['api-keys', 'bots', 'direct-messages', 'group-chats', 'images'],
  ['comments', 'communities', 'operator', 'settings', 'share'],
  ['embed'],
  ['shell'],
  ['routes.tsx'],
  ['client.tsx'],
  ['main.tsx'],
]

/** Every folder of web/src may import `shown.ts` and `text.ts` of `files`: a type and a rule, which know nothing of the service. */
const inFiles = 'files/([^st]|s[^h]|sh[^o]|t[^e]).*'

const anyOf = (root: string, names: string[]) =>
  names.map((name) => (root === 'web/src' && name === 'files' ? inFiles : name)).join('|')

/** The rooms of a folder of web/src, lowest first. */
const webRooms: Record<string, string[]> = { keys: ['crypto', 'state', 'view'] }

/** One override per folder: nothing from a higher floor, nor from another folder of the same one. */
function floorRules(root: string, order: string[][], rooms: Record<string, string[]> = {}) {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const without = folders.map(({ name }) => name).filter((name) => !order.flat().includes(name))
  if (without.length > 0)
    throw new Error(`${root}/${without.join(', ')}: give it a floor in oxlint.config.ts.`)
  return order.flatMap((floor, height) =>
    floor
      .filter((name) => !/\.tsx?$/.test(name))
      .flatMap((folder) => {
        const above = [...floor.filter((name) => name !== folder), ...order.slice(height + 1).flat()]
        const regex = `^(\\.\\./)+(${anyOf(root, above)})(/|$)`
        const rule = (place: string, refused: string) => ({
          files: [`${root}/${place}/**/*.{ts,tsx}`],
          excludeFiles: ['**/*.test.ts'],
          rules: restrict(refused, `${place}/ imports only from lower floors.`),
        })
        const inside = (rooms[folder] ?? [])
          .slice(0, -1)
          .map((room, at) =>
            rule(`${folder}/${room}`, `${regex}|^\\.\\./(${rooms[folder]!.slice(at + 1).join('|')})/`),
          )
        return [rule(folder, regex)].concat(inside)
      }),
  )
}

function restrict(regex: string, message: string) {
  return { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] } satisfies DummyRuleMap
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  rules: {
    // Work in order is often the point: one message after the other, one page after the other.
    'no-await-in-loop': 'off',
    // Values from outside (JSON, headers, rows) get their type where they enter.
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-named-as-default-member': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-underscore-dangle': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    // Type imports count too.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'max-lines': ['error', 250],
    // A closure that keeps state counts with all its functions.
    'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
  },
  overrides: [
    ...floorRules('server/src', floors),
    ...floorRules('web/src', webFloors, webRooms),
    {
      files: ['server/src/features/**/*.ts'],
      excludeFiles: ['**/*.test.ts', 'server/src/features/index.ts'],
      rules: restrict(
        `^\\.\\./[a-z]|^(\\.\\./)+(${floors
          .slice(floors.findIndex((floor) => floor.includes('features')))
          .flat()
          .join('|')})(/|$)`,
        'A feature imports lower floors, never another feature.',
      ),
    },
    {
      files: ['server/src/features/**/*.test.ts'],
      rules: restrict('^\\.\\./[a-z-]+/', 'A feature never imports another feature.'),
    },
    {
      files: ['{sdk,server,web,mcp,react}/src/**'],
      excludeFiles: ['**/*.test.ts', 'sdk/src/normal-form.ts'],
      rules: {
        'no-restricted-properties': [
          'error',
          {
            property: 'normalize',
            message: 'Many marks in a row take it long: use normalForm of @parley/sdk/normal-form.ts.',
          },
        ],
      },
    },
    {
      files: ['web/src/**'],
      plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
      rules: {
        'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
        'react/react-in-jsx-scope': 'off',
        // The virtual list's functions are made anew on each render, which is known and meant.
        'react/incompatible-library': 'off',
        // Some effects happen *because* a value changed, without reading it.
        'react/exhaustive-effect-dependencies': 'off',
        'react/set-state-in-effect': 'off',
        // Live regions, icons with a name, a list that scrolls by keyboard, tabs with one tab stop: as ARIA's patterns have it.
        'jsx-a11y/prefer-tag-over-role': 'off',
        'jsx-a11y/no-noninteractive-tabindex': 'off',
        'jsx-a11y/interactive-supports-focus': 'off',
        // Arrows within a list of one tab stop, and a long press on what is read.
        'jsx-a11y/no-noninteractive-element-interactions': 'off',
      },
    },
    {
      files: ['react/src/**'],
      rules: restrict(
        '^(\\.\\./){2}|^@parley/sdk/([^s]|s[^l])|^@parley/(server|web|testing|bench)',
        'react/ calls the service by the SDK, as it is published, and knows nothing else of it.',
      ),
    },
    {
      files: ['react/src/**', 'react/test/*.tsx'],
      plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react'],
      rules: { 'react/react-in-jsx-scope': 'off' },
    },
    {
      files: ['mcp/src/**'],
      rules: restrict(
        '^(\\.\\./){2}|^@parley/(server|web|testing|bench)',
        'mcp/ calls the service by the SDK, and knows nothing else of it.',
      ),
    },
    // The four lowest floors of the web client: what is shown, without the service. Of the SDK they may import what reads texts.
    ...webFloors.slice(0, 4).map(([room], height) => ({
      files: [`web/src/${room}/**`],
      rules: restrict(
        `^\\.\\./(${anyOf('web/src', webFloors.slice(height + 1).flat())})(/|$)|^@parley/(sdk$|sdk/[^flu]|[^s]|s[^d])`,
        `${room}/ knows nothing of the service, and imports only from lower floors.`,
      ),
    })),
    {
      files: [
        '*.config.ts',
        'web/*.config.ts',
        'tools/{closing-line,long-files-first}.ts',
        'testing/service/global-setup.ts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      // Markup makes a component long.
      files: ['**/*.tsx'],
      rules: { 'max-lines-per-function': ['error', 100] },
    },
    {
      files: ['**/*.test.ts', 'web/test/**', 'react/test/**'],
      rules: { 'max-lines': ['error', 400], 'max-lines-per-function': 'off' },
    },
  ],
  ignorePatterns: ['node_modules', 'dist', 'data'],
})
