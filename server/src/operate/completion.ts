// What lets a shell complete the commands and options of the tool.

import type { Command, Option } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const summaryOf = (command: Command) => command.summary() || command.description()
const choicesOf = ({ registeredArguments }: Command) =>
  registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
/** All options that the help of a command names. */
const optionsOf = (command: Command) => command.createHelp().visibleOptions(command)

const longOf = (command: Command) => optionsOf(command).map(({ long }) => long!)

/** The script that a shell reads: `source <(node_modules/.bin/parley completion bash)`. */
export function completionFor(shell: Shell, program: Command): string {
  if (shell === 'fish') return forFish(program)
  const bash = forBash(program)
  return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`
}

function forBash(program: Command): string {
  const names = program.commands.map((command) => command.name()).join(' ')
  const own = longOf(program)
  // What the program takes, each command takes too; only the program tells its version.
  const shared = own.filter((option) => option !== '--version')
  const cases = program.commands.map((command) => {
    const words = new Set([...longOf(command), ...choicesOf(command), ...shared])
    return `    ${command.name()}) words="${[...words].join(' ')}" ;;`
  })
  // Files are completed where a command takes one.
  return `_parley() {
  local words
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
    *) words="${names}" ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words="${names} help ${own.join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley`
}

function forFish(program: Command): string {
  const names = program.commands.map((command) => command.name()).join(' ')
  const atFirst = '-n __fish_use_subcommand'
  const optionLine = (where: string, { long, short, description, required }: Option) =>
    [
      'complete -c parley',
      where,
      short && `-s ${short.slice(1)}`,
      `-l ${long!.slice(2)}`,
      required && '-r',
      `-d ${quoted(description)}`,
    ]
      .filter(Boolean)
      .join(' ')
  return [
    ...optionsOf(program).map((option) => optionLine(option.long === '--version' ? atFirst : '', option)),
    `complete -c parley -f ${atFirst} -a help -d 'Display help for a command'`,
    `complete -c parley -f -n '__fish_seen_subcommand_from help' -a ${quoted(names)}`,
    ...program.commands.flatMap((command) => {
      const where = `-n '__fish_seen_subcommand_from ${command.name()}'`
      const choices = choicesOf(command)
      return [
        `complete -c parley -f ${atFirst} -a ${command.name()} -d ${quoted(summaryOf(command))}`,
        ...(choices.length > 0 ? [`complete -c parley -f ${where} -a ${quoted(choices.join(' '))}`] : []),
        ...optionsOf(command)
          .filter(({ long }) => long !== '--help')
          .map((option) => optionLine(where, option)),
      ]
    }),
  ].join('\n')
}
