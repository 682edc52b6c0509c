// The VS Code servers of the end-to-end tests, one for each test process. They start before the first file and end
// after the last; each file uses its own folder, settings and data.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { linkBuiltin } from '../../support/host/builtin.mjs';
import { packageVsix } from '../../support/host/package-vsix.mjs';
import { vsix } from '../../support/host/paths.mjs';
import { installVsix, startServer, type Server } from '../../support/host/server.mjs';
import { setUpServer } from '../../support/host/setup.mjs';

/** What a test file needs to know of its server; files run in separate processes. */
export interface SharedHost {
  readonly url: string;
  readonly token: string;
  /** Folder of the server's user data. */
  readonly dataDir: string;
  /** The browser's profile. */
  readonly profileDir: string;
  /** File with the output of the server. */
  readonly logFile: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** In the order of `VITEST_POOL_ID`, which starts at 1. */
    sharedHosts: readonly SharedHost[];
  }
}

/** Extensions that bring a tool and models to the editor, which the servers have like built-in ones. */
const OTHERS = ['station-tools', 'harbour-models'];

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = mkdtempSync(join(tmpdir(), 'e2e-'));
  const servers: Server[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    // A browser that is ending may still write its profile.
    rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const start = async (scratchOfOne: string): Promise<SharedHost> => {
    const [dataDir, logFile] = [join(scratchOfOne, 'data'), join(scratchOfOne, 'server.log')];
    cpSync(installed, dataDir, { recursive: true });
    const server = await startServer({ dataDir, builtinDir, logFile });
    servers.push(server);
    const { url, token } = server;
    return { url, token, dataDir, profileDir: join(scratchOfOne, 'profile'), logFile };
  };
  const [installed, builtinDir] = [join(scratch, 'installed'), join(scratch, 'builtin')];
  try {
    // Otherwise the tests of `npm start` would do so, under the running servers.
    await Promise.all([setUpServer(), packageVsix()]);
    await installVsix([vsix.extension], installed);
    linkBuiltin(builtinDir);
    for (const name of OTHERS)
      symlinkSync(fileURLToPath(new URL(name, import.meta.url)), join(builtinDir, name));
    const numbers = Array.from({ length: project.config.maxWorkers }, (_, index) => index + 1);
    project.provide(
      'sharedHosts',
      await Promise.all(numbers.map((number) => start(join(scratch, String(number))))),
    );
    return end;
  } catch (error) {
    await end();
    throw error;
  }
}
