// Runs the demo server in a process of its own, where nothing else holds timers or sockets: the process must exit by itself.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const SOURCE_FOLDER = fileURLToPath(new URL('../../../src/demo', import.meta.url));
/** Far less than the slow model waits, in milliseconds. */
const PATIENCE_MS = 10_000;

/** Prints what it observes. A remaining timer or socket would keep it from exiting. */
const PROGRAM = `
import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { startDemoServer } from './index';

const count = (kind) => process.getActiveResourcesInfo().filter((open) => open === kind).length;
const until = async (isReached) => {
  while (!isReached()) await setImmediate();
};
const openRequest = async (url, model, isTaken) => {
  const sent = request(url, { method: 'POST', agent: false });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }));
  await until(isTaken);
  return sent;
};
const openSlowRequest = (url) => openRequest(url, 'slow', () => count('Timeout') === 1);
// Nothing but its two sockets shows a request that hangs.
const openHangingRequest = (url) => openRequest(url, 'hangs', () => count('TCPSocketWrap') === 2);

const server = await startDemoServer();
for (const url of [server.localHost + '/api/chat', server.hostedHost + '/chat/completions']) {
  for (const open of [openSlowRequest, openHangingRequest]) {
    const sent = await open(url);
    sent.destroy();
    await until(() => count('Timeout') === 0 && count('TCPSocketWrap') === 0);
    console.log('freed');
  }
}
await openSlowRequest(server.localHost + '/api/chat');
await openRequest(server.localHost + '/api/chat', 'hangs', () => count('TCPSocketWrap') === 4);
await Promise.all([server.close(), server.close()]);
request(server.localHost).on('error', (error) => console.log(error.code)).end();
`;

describe('startDemoServer', () => {
  test('releases timer and socket when a client disconnects, and close() leaves nothing behind', async () => {
    const built = await build({
      stdin: { contents: PROGRAM, resolveDir: SOURCE_FOLDER },
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
    });
    const code = built.outputFiles[0]?.text ?? '';
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-'], {
      timeout: PATIENCE_MS,
    });
    // Passed through stdin, because it is longer than an argument may be.
    running.child.stdin?.end(code);
    const ended = await running;
    expect(ended.stdout).toBe('freed\nfreed\nfreed\nfreed\nECONNREFUSED\n');
  }, 15_000);
});
