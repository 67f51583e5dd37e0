// What lets a shell complete the commands and options of the tool.

import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The script that a shell reads: `source <(npx parley completion bash)`. */
export function completionFor(shell: Shell, program: Command): string {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary() || command.description(),
    words: [
      ...command.options.map(({ long }) => long!),
      ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ],
  }))
  const names = commands.map(({ name }) => name).join(' ')
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  if (shell === 'fish')
    return commands
      .flatMap(({ name, summary, words }) => [
        `complete -c parley -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
        ...words.map((word) => `complete -c parley -n '__fish_seen_subcommand_from ${name}' -a ${word}`),
      ])
      .join('\n')
  const cases = commands
    .map(({ name, words }) => `    ${name}) words="${words.join(' ')} --json --help" ;;`)
    .join('\n')
  // Files are completed where a command takes one.
  const bash = `_parley() {
  local words
  case \${COMP_WORDS[1]} in
${cases}
    *) words="${names} help" ;;
  esac
  [ "$COMP_CWORD" = 1 ] && words="${names} help"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley`
  return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`
}
