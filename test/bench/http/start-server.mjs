// Starts the loopback server in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export async function startServer() {
  const child = spawn(process.execPath, [fileURLToPath(new URL('server.mjs', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { origin: `http://127.0.0.1:${Number(port)}`, stop: () => child.kill() };
}
