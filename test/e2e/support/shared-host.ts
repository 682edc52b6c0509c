// The VS Code server shared by all end-to-end test files. It starts before the first file and ends after the last;
// each file uses its own folder, settings and data.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { vsix } from '../../support/host/paths.mjs';
import { installVsix, startServer } from '../../support/host/server.mjs';

/** What a test file needs to know of it; files run in separate processes. */
export interface SharedHost {
  readonly url: string;
  readonly token: string;
  /** Folder of the server's user data. */
  readonly dataDir: string;
  /** The browser's profile. It is shared, because its cache of compiled code halves the time to open the workbench. */
  readonly profileDir: string;
  /** File with the output of the server. */
  readonly logFile: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    sharedHost: SharedHost;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = mkdtempSync(join(tmpdir(), 'e2e-'));
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  try {
    const [dataDir, logFile] = [join(scratch, 'data'), join(scratch, 'server.log')];
    await installVsix([vsix.extension], dataDir);
    const server = await startServer({ dataDir, logFile });
    const { url, token } = server;
    project.provide('sharedHost', { url, token, dataDir, profileDir: join(scratch, 'profile'), logFile });
    return async () => {
      await server.stop();
      remove();
    };
  } catch (error) {
    remove();
    throw error;
  }
}
