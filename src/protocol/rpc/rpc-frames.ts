// Frames that are exchanged between the webview and the host, over any channel that carries JSON.
import type { HostEventName } from '../events';
import type { RequestMethod } from '../requests';
import type { ErrorInfo } from '../outcome';

export type ClientFrame<M extends string = RequestMethod> =
  { kind: 'request'; id: string; method: M; params: unknown } | { kind: 'cancel'; id: string };
export type HostFrame =
  | { kind: 'reply'; id: string; ok: true; result: unknown }
  | { kind: 'reply'; id: string; ok: false; error: ErrorInfo }
  | { kind: 'event'; name: HostEventName; data: unknown };
