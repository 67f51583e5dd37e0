// These programs must not outlive this process, also when it is killed by `kill -9`: those that work in one folder. A shell waits
// for the end of its input, which ends with this process, and then kills them. A signal at the death of the parent (`setpriv
// --pdeathsig`) reaches a child only, and the PostgreSQL that Patroni starts is nobody's child.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

// A round may miss what a program starts meanwhile, so there are rounds until one finds nothing. A process that has ended
// has no directory.
const script = `
folder=$1
shift
cat > /dev/null
while
  found=
  for process in /proc/[0-9]*; do
    case $(readlink "$process/cwd" 2> /dev/null)/ in
      "$folder"/*) kill -KILL "\${process#/proc/}" 2> /dev/null && found=1 ;;
    esac
  done
  [ -n "$found" ]
do sleep 0.05; done
rm -rf "$@"`

/**
 * Kills all programs whose working directory lies in the folder, and removes some files: when it is disposed of, or this process
 * has ended in whatever way. It needs Linux to find the programs; elsewhere it only removes the files.
 */
export function leash(folder: string, files: string[] = [folder]): AsyncDisposable {
  const shell = spawn('sh', ['-c', script, 'sh', folder, ...files], {
    // The shell is not in the folder, and not in the terminal's process group: Ctrl-C ends this process, then the programs.
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(shell, 'exit')
  shell.unref()
  return {
    async [Symbol.asyncDispose]() {
      shell.ref()
      shell.stdin.end()
      await ended
    },
  }
}
