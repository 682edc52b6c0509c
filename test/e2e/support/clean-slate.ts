// Resets a server that was used before: nothing of its previous use keeps running or stays on disk.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { prepareDataFolder } from '../../support/host/data-folder.mjs';
import type { Settings } from '../../support/host/server.mjs';

const WAIT_MS = 60_000;

/** The server's log about its extension hosts. */
export function readHostLog(dataDir: string): string {
  const logs = join(dataDir, 'logs');
  const files = readdirSync(logs, { recursive: true, encoding: 'utf8' });
  const own = files.filter((file) => file.endsWith('remoteagent.log'));
  return own.map((file) => readFileSync(join(logs, file), 'utf8')).join('\n');
}

/** Process ids of extension hosts that the server has started and whose exit it has not logged. */
function runningHosts(dataDir: string): number[] {
  const running: number[] = [];
  for (const [, pid, what] of readHostLog(dataDir).matchAll(
    /<(\d+)> (Launched|Extension Host Process exited)/g,
  )) {
    if (what === 'Launched') running.push(Number(pid));
    else running.splice(running.indexOf(Number(pid)), 1);
  }
  return running;
}

/** Process ids are reused: only a process with the folder in its environment was started by this server. */
function isOf(dataDir: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(dataDir);
  } catch {
    return false; // it has just ended
  }
}

/**
 * Ends the extension hosts of earlier users and deletes their data. A workbench that is left reports that to the
 * server, but on a busy machine the page may be gone before the message is sent; its host then waits for hours for
 * a reconnect.
 */
export async function cleanServer(dataDir: string, settings: Settings): Promise<void> {
  const end = (): void => {
    const hosts = runningHosts(dataDir);
    for (const pid of hosts) if (isOf(dataDir, pid)) process.kill(pid, 'SIGKILL');
    if (hosts.length > 0) throw new Error('an extension host of an earlier test file still runs');
  };
  await vi.waitFor(end, { timeout: WAIT_MS, interval: 50 });
  rmSync(join(dataDir, 'User'), { recursive: true, force: true });
  for (const entry of readdirSync(join(dataDir, 'logs'), { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory() && entry.name.startsWith('exthost'))
      rmSync(join(entry.parentPath, entry.name), { recursive: true, force: true });
  }
  prepareDataFolder(dataDir, settings);
}
