// The one VS Code server of the end-to-end tests, started before the first file and ended after the last. Each file opens it
// with a folder, settings and data of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { vsix } from '../../support/host/paths.mjs';
import { installVsix, startServer } from '../../support/host/server.mjs';

/** What a test file has to know of it; files run in processes of their own. */
export interface SharedHost {
  readonly url: string;
  readonly token: string;
  /** The server's user data. */
  readonly dataDir: string;
  /** The browser's profile: who opens it with what it has compiled before opens the workbench in half the time. */
  readonly profileDir: string;
  /** All that the server prints. */
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
