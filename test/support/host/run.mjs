// Runs a command and waits for it. Commands that are still running when this process exits are killed.
import { spawn } from 'node:child_process';
import { basename } from 'node:path';

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/** With `quiet`, output is printed only on failure. Rejects unless the exit code is 0. */
export function run(command, args, { cwd, quiet = false, env = process.env }) {
  const name = [basename(command), ...args.map((arg) => basename(arg))].slice(0, 4).join(' ');
  return new Promise((resolve, reject) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'];
    const shell = process.platform === 'win32' && command === 'npm'; // npm.cmd can only be started through a shell
    const child = spawn(command, args, { cwd, env, stdio, shell });
    running.add(child);
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
