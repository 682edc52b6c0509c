// Runs a command and waits for it. Commands that are still running when this process exits are killed.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { basename } from 'node:path';

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/** A quarter of the share that a process with the usual priority gets while both need the processor. */
const BACKGROUND_PRIORITY = 5;

/** Also for all processes that it starts from now on. */
function lowerPriority({ pid }) {
  try {
    if (pid !== undefined) setPriority(pid, BACKGROUND_PRIORITY);
  } catch {
    // It has ended already.
  }
}

/**
 * With `quiet`, output is printed only on failure. With `isBackground`, the command has a lower priority. Rejects unless the
 * exit code is 0.
 */
export function run(command, args, { cwd, quiet = false, isBackground = false, env = process.env }) {
  const name = [basename(command), ...args.map((arg) => basename(arg))].slice(0, 4).join(' ');
  return new Promise((resolve, reject) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
    const shell = process.platform === 'win32' && command === 'npm'; // npm.cmd can only be started through a shell
    const child = spawn(command, args, { cwd, env, stdio, shell });
    running.add(child);
    if (isBackground) lowerPriority(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
    child.once('error', (error) => {
      running.delete(child);
      reject(new Error(`${name} does not start (${error.code}): is it installed and in PATH?`));
    });
    child.once('close', (code, signal) => {
      running.delete(child);
      if (code === 0) resolve();
      else reject(new Error(`${output}${name} ended with ${code ?? signal} (in ${cwd})`));
    });
  });
}
