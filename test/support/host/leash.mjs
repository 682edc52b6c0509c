// Stands between a person's terminal and the server: ends the server, the extension hosts and all they started when the
// process that holds our stdin is gone, however that one died. Started as the leader of its own process group.
// Arguments: the folder to remove in the end, then the command.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const [folder, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
// Of the same group, and blocked until we are gone: it does what we cannot do when we are killed together with who holds us.
spawn('sh', ['-c', 'read -r _; rm -rf "$0"; kill -9 0', folder], { stdio: ['pipe', 'ignore', 'ignore'] });

function end() {
  rmSync(folder, { recursive: true, force: true });
  process.kill(-process.pid, 'SIGKILL'); // ourselves as well
}

let isEnding = false;
function askToEnd() {
  if (isEnding) return;
  isEnding = true;
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(end, 3000);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, askToEnd);
child.once('error', end);
child.once('exit', end);
process.stdin.resume().once('end', askToEnd).once('error', askToEnd);
