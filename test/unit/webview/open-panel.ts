// A panel and a host, connected by the real protocol; every frame is serialized as JSON.
import { expect } from 'vitest';
import type {
  ClientFrame,
  ErrorInfo,
  RequestHandlers,
  RequestMethod,
  SessionSnapshot,
} from '../../../src/protocol';
import { REQUEST_PARAMS, RequestError, RpcClient, RpcServer } from '../../../src/protocol';
import { Playground } from '../../../webview/playground';
import type { LaneSample } from './samples';
import { toSnapshot } from './samples';

export const FAILURE: ErrorInfo = {
  code: 'x',
  title: 'It failed',
  what: 'It failed.',
  why: 'So.',
  next: 'Do it again.',
};
const METHODS = Object.keys(REQUEST_PARAMS) as RequestMethod[];

/** Requests without a handler are answered with null. */
export function openPanel(
  lanes: Record<string, LaneSample> = { a: {} },
  { handlers = {}, stored }: { handlers?: Partial<RequestHandlers>; stored?: unknown } = {},
) {
  const requests: { method: RequestMethod; params: unknown }[] = [];
  const saved: unknown[] = [stored];
  const host = { snapshot: toSnapshot(lanes), isGone: false };
  const nothing = Object.fromEntries(METHODS.map((method) => [method, () => Promise.resolve(null)]));
  const server: RpcServer = new RpcServer({
    post: (frame) => queueMicrotask(() => client.receive(JSON.parse(JSON.stringify(frame)))),
    toErrorInfo: (error) => (error instanceof RequestError ? error.info : FAILURE),
    onProblem: (problem) => expect.unreachable(problem),
    handlers: {
      ...(nothing as unknown as RequestHandlers),
      'session/open': () => Promise.resolve(host.snapshot),
      'connection/models': () => Promise.resolve({ models: ['a', 'b'] }),
      'lane/add': () => Promise.resolve({ laneId: 'new' }),
      ...handlers,
    },
  });
  const client = new RpcClient((frame) => {
    const sent = JSON.parse(JSON.stringify(frame)) as ClientFrame;
    if (sent.kind === 'request') requests.push({ method: sent.method, params: sent.params });
    if (host.isGone) return;
    void server.receive(sent);
  });
  const playground = new Playground({
    client,
    loadState: () => saved.at(-1),
    saveState: (state) => saved.push(JSON.parse(JSON.stringify(state))),
  });
  const sent = (wanted: RequestMethod): unknown[] =>
    requests.filter(({ method }) => method === wanted).map(({ params }) => params);
  const emit = async (snapshot: Partial<SessionSnapshot>): Promise<void> => {
    server.emit('session/changed', { lanes: [], ...snapshot });
    await settle();
  };
  return { playground, client, server, host, requests, sent, saved, emit };
}

/** Long enough for a request, its reply, and what follows from it. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
};
