// Runs a table of faults: each row with both providers, streamed and unstreamed, over real sockets; also checks what must
// hold for all of them.
import { once as onceEmitted, EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ChatTurn, Providers, RetryPolicy } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider, ProviderError } from '../../../src/library';
import type { FaultServer } from '../../support/servers/fault-server';
import { startFaultServer } from '../../support/servers/fault-server';
import type { Expected, Fault, Variant } from './fault';
import { API_KEY, expectedOf, VARIANTS } from './fault';
import { Peer } from './peer';

/** Long enough for a busy machine. A row that ran into the client's own connect timeout would get the wrong error. */
const SETTLES_WITHIN_MS = 60_000;
const CLOSES_WITHIN = { timeout: 20_000, interval: 5 };

/** The servers of all rows; their connections are checked together, because closeConnections() closes them all. */
const servers: FaultServer[] = [];
const unhandled: unknown[] = [];
const noteUnhandled = (error: unknown): void => void unhandled.push(error);

export function describeFaults(theme: string, faults: readonly Fault[]): void {
  describe(`a fault of the ${theme}`, () => {
    beforeAll(async () => {
      process.on('unhandledRejection', noteUnhandled).on('uncaughtException', noteUnhandled);
      await warmUp();
    });
    for (const variant of VARIANTS) {
      const rows = faults.filter(({ variants = VARIANTS }) => variants.includes(variant));
      for (const fault of rows)
        test.concurrent(`${variant}: ${fault.name}`, () => runFault(fault, variant), SETTLES_WITHIN_MS);
    }
    afterAll(checkLeftovers);
  });
}

/** Loads the HTTP client, which happens on first use, so that it does not count towards the timeout of a row. */
async function warmUp(): Promise<void> {
  const server = await startFaultServer('request', (socket) => void socket.end('HTTP/1.1 204 No\r\n\r\n'));
  await settle(createProvider('local unstreamed', `http://127.0.0.1:${server.port}`, {}), {});
  await server[Symbol.asyncDispose]();
}

async function checkLeftovers(): Promise<void> {
  await closeConnections();
  await nextTurn();
  process.off('unhandledRejection', noteUnhandled).off('uncaughtException', noteUnhandled);
  expect(unhandled).toEqual([]);
  const countOpen = async (): Promise<number> => {
    const counts = await Promise.all(servers.map((server) => server.openConnections()));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  await vi.waitFor(async () => expect(await countOpen()).toBe(0), CLOSES_WITHIN);
  expect(servers.flatMap(({ scriptErrors }) => scriptErrors)).toEqual([]);
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
}

async function runFault(fault: Fault, variant: Variant): Promise<void> {
  const client = new EventEmitter();
  const stop = new AbortController();
  const next = async (event: string): Promise<void> => void (await onceEmitted(client, event));
  const signals = { headersSeen: () => next('headers'), deltaSeen: () => next('delta') };
  const server = await startFaultServer(fault.at ?? 'request', (socket, count) =>
    fault.serve(new Peer(socket, count, variant, { signals, abort: () => stop.abort() })),
  );
  if (fault.isGone) await server[Symbol.asyncDispose]();
  else servers.push(server);
  const host = fault.host?.(server.port) ?? `http://127.0.0.1:${server.port}`;
  const proxy = fault.proxy?.(server.port);
  const provider = createProvider(variant, host, fault.retry ?? {}, proxy);
  const expected = expectedOf(fault, variant);
  const { calls = 1 } = fault;
  for (let call = 1; call <= calls; call++) {
    const outcome = await settle(provider, {
      prompt: fault.prompt,
      signal: stop.signal,
      ...(variant.endsWith(' streamed') && { onDelta: () => client.emit('delta') }),
      onHeaders: () => client.emit('headers'),
    });
    check(outcome, expected, `${provider.constructor.name}: POST ${host}/`);
    await nextTurn(); // lets the socket return to the pool
  }
  await checkServer(server, fault, expected);
}

function createProvider(variant: Variant, host: string, policy: RetryPolicy, proxy?: string): Providers {
  const options = { host, model: 'm', retry: { initialDelayMs: 1, ...policy }, network: { proxy } };
  return variant.startsWith('local')
    ? new LocalHostProvider(options)
    : new HostedApiProvider({ ...options, apiKey: API_KEY });
}

interface CallOptions {
  prompt?: string | undefined;
  signal?: AbortSignal;
  onDelta?: () => void;
  onHeaders?: () => void;
}

/** Resolves with the turn or the error. */
function settle(provider: Providers, options: CallOptions): Promise<unknown> {
  const { prompt = 'Hello', signal, onDelta, onHeaders } = options;
  const call = provider.chat({
    messages: [{ role: 'user', content: prompt }],
    signal,
    onDelta,
    onProgress: ({ phase }) => void (phase === 'reading' && onHeaders?.()),
  });
  return call.catch((error: unknown) => error);
}

function check(outcome: unknown, expected: Expected, subject: string): void {
  const text = outcome instanceof Error ? outcome.message : (outcome as ChatTurn).raw.content;
  const code = outcome instanceof ProviderError ? outcome.code : undefined;
  expect({ code, text: text.slice(0, 1000) }).toMatchObject({ code: expected.code });
  for (const words of expected.words) expect(text, text).toMatch(words);
  expect(outcome).toMatchObject({ attempts: expected.attempts, ...expected.match });
  if (!(outcome instanceof ProviderError)) return;
  expect(text).toContain(subject);
  expect(text).not.toMatch(/fetch failed|terminated/);
  expect(text).not.toContain(API_KEY);
}

async function checkServer(server: FaultServer, fault: Fault, expected: Expected): Promise<void> {
  if (fault.isGone) return;
  const { reached = expected.attempts * (fault.calls ?? 1) } = fault;
  // An attempt with a timeout may end before the server has run its script.
  if (reached === 'uncounted') expect(server.runs()).toBeGreaterThan(0);
  else if (expected.code === 'timeout') expect(server.runs()).toBeLessThanOrEqual(reached);
  else expect(server.runs()).toBe(reached);
  const isCut =
    fault.closes || ['timeout', 'network', 'aborted', 'response-too-large'].includes(expected.code ?? '');
  // One connection may be kept alive.
  const allowed = isCut ? 0 : 1;
  await vi.waitFor(() => expect(server.usedConnections()).toBeLessThanOrEqual(allowed), CLOSES_WITHIN);
}
