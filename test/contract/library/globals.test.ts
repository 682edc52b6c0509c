// Importing and using the library changes nothing in the process. Runs in processes of its own, because that of the test
// runner has loaded everything already.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
let folder: string;

/** Bundles a script with the library and runs it. @returns the JSON that it prints. */
async function runScript(name: string, source: string): Promise<unknown> {
  const outfile = join(folder, `${name}.cjs`);
  await build({
    stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  });
  const { stdout } = await run(process.execPath, [outfile]);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'globals-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SERVER = `
import http from 'node:http';
import { LocalHostProvider, closeConnections } from './src/library';
const server = http.createServer((request, response) =>
  response.end(JSON.stringify({ message: { content: 'hi' }, done: true })));
await_(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const host = 'http://127.0.0.1:' + (server.address() as { port: number }).port;
  MAIN
  await closeConnections();
  server.close();
});
function await_(main: () => Promise<void>) { void main(); }
`;

describe('the library', () => {
  test('changes no global, including undici’s dispatcher', async () => {
    const snapshot = `Reflect.ownKeys(globalThis).map(String).sort().join()`;
    const result = await runScript(
      'globals',
      `const before = ${snapshot};
       ${SERVER.replace(
         'MAIN',
         `const turn = await new LocalHostProvider({ host, model: 'm' }).chat({ messages: [{ role: 'user', content: 'x' }] });
          const dispatchers = [1, 2].map((n) => Symbol.for('undici.globalDispatcher.' + n) in globalThis);
          console.log(JSON.stringify({ content: turn.raw.content, same: before === ${snapshot}, dispatchers }));`,
       )}`,
    );
    expect(result).toEqual({ content: 'hi', same: true, dispatchers: [false, false] });
  });
});
