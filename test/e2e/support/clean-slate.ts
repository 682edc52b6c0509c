// Makes a server that was used before as good as new: nothing of the one who used it runs or lies there any more.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { prepareDataFolder } from '../../support/host/data-folder.mjs';
import type { Settings } from '../../support/host/server.mjs';

const WAIT_MS = 60_000;

/** What the server logs of its extension hosts. */
export function readHostLog(dataDir: string): string {
  const logs = join(dataDir, 'logs');
  const files = readdirSync(logs, { recursive: true, encoding: 'utf8' });
  const own = files.filter((file) => file.endsWith('remoteagent.log'));
  return own.map((file) => readFileSync(join(logs, file), 'utf8')).join('\n');
}

/** How many extension hosts the server has started and not seen the end of. */
function countHosts(dataDir: string): number {
  const log = readHostLog(dataDir);
  const count = (what: string): number => log.split(`> ${what}`).length - 1;
  return count('Launched Extension Host Process') - count('Extension Host Process exited');
}

/** Waits for the end of the extension hosts, which may still write, and removes what they have left. */
export async function cleanServer(dataDir: string, settings: Settings): Promise<void> {
  const end = (): void => {
    if (countHosts(dataDir) > 0) throw new Error('an extension host of an earlier test file still runs');
  };
  await vi.waitFor(end, { timeout: WAIT_MS, interval: 20 });
  rmSync(join(dataDir, 'User'), { recursive: true, force: true });
  for (const entry of readdirSync(join(dataDir, 'logs'), { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory() && entry.name.startsWith('exthost'))
      rmSync(join(entry.parentPath, entry.name), { recursive: true, force: true });
  }
  prepareDataFolder(dataDir, settings);
}
