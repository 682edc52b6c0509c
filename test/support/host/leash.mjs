// Runs between the terminal and the server. When the process that holds our stdin is gone, however it died, this
// ends the server, the extension hosts and everything they started. Must be started as the leader of its own
// process group. Arguments: the folder to remove at the end, then the command.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const [folder, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
// In the same group and blocked until this process is gone: cleans up when we are killed together with our parent.
spawn('sh', ['-c', 'read -r _; rm -rf "$0"; kill -9 0', folder], { stdio: ['pipe', 'ignore', 'ignore'] });

function end() {
  rmSync(folder, { recursive: true, force: true });
  process.kill(-process.pid, 'SIGKILL'); // kills this process as well
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
