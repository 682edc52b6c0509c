// The provider modules that the command line names. They are code: none runs unless it is allowed there, too. Bundled from its
// source, because it loads modules through a real `import()`.
import { CustomConnections } from '../../connections';
import type { ConnectionPorts } from '../../connections';

const LOAD_LIMIT_MS = 10_000;

/** @param modules Paths, from the folder. */
export const customCode = (modules: readonly string[], folder: string): ConnectionPorts['custom'] => ({
  open: (tools) =>
    Promise.resolve(
      new CustomConnections({
        ...tools,
        namedModules: () => modules.map((written) => ({ written, scope: 'user', folder, folders: [folder] })),
        // Allowed for the whole command, so that nothing is ever asked.
        ask: () => Promise.resolve(undefined),
        // A command needs all of them before it begins.
        patienceMs: LOAD_LIMIT_MS,
        loadLimitMs: LOAD_LIMIT_MS,
        watch: () => ({ dispose: () => undefined }),
        decisions: { get: (_path, sha256) => ({ sha256, isAllowed: true }), set: () => Promise.resolve() },
      }),
    ),
  registrations: () => [],
  onDidRegister: () => () => undefined,
});
