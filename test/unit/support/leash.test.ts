// The watchdog of the server of `npm start`: whichever process is killed, the server ends and its folder is removed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'leash-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const LEASH = join(import.meta.dirname, '../../support/host/leash.mjs');
/** Stands in for the server: it does not exit by itself. */
const SERVER = 'console.log(process.pid); setInterval(() => {}, 1000)';
/** Stands in for `npm start`: holds the stdin of the watchdog, and prints the process ids of the watchdog and the server. */
const HOLDER = `
  const { spawn } = require('node:child_process');
  const [leash, folder, server] = process.argv.slice(1);
  const command = [leash, folder, process.execPath, '-e', server];
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  child.stdout.once('data', (data) => console.log(child.pid + ' ' + String(data).trim()));
`;

async function holdServer() {
  const folder = mkdtempSync(join(scratch, 'sockets-'));
  const holder = spawn(process.execPath, ['-e', HOLDER, LEASH, folder, SERVER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(holder.stdout, 'data')) as [Buffer];
  const [leash = Number.NaN, server = Number.NaN] = String(said).trim().split(' ').map(Number);
  const isGone = (): boolean => !isRunning(server) && !existsSync(folder);
  return { holder, leash, isGone };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.skipIf(process.platform === 'win32')('the leash', () => {
  it.each([
    ['the process that started it', ['holder']],
    ['the leash', ['leash']],
    ['both at once', ['leash', 'holder']],
  ])('ends the server and removes its folder after SIGKILL to %s', async (_, killed) => {
    const { holder, leash, isGone } = await holdServer();
    expect(isGone()).toBe(false);
    if (killed.includes('leash')) process.kill(leash, 'SIGKILL');
    if (killed.includes('holder')) holder.kill('SIGKILL');
    await expect.poll(isGone, { timeout: 20_000 }).toBe(true);
    holder.kill('SIGKILL');
  });
});
