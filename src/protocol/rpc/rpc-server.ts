// RPC server of the host: validates each request on arrival and sends exactly one reply. The caller supplies `post` and
// passes in what arrives.
import { t } from '@vscode/l10n';
import * as v from 'valibot';
import type { HostEventName, HostEvents } from '../events';
import { LAB_PARAMS } from '../lab/lab';
import type { LabMethod, LabParams, LabResults } from '../lab/lab';
import { RECORDING_PARAMS } from '../recording';
import type { RecordingMethod, RecordingParams, RecordingResults, RunReadingMethod } from '../recording';
import type { RequestMethod, RequestParams, RequestResults } from '../requests';
import { REQUEST_PARAMS } from '../requests';
import type { HostFrame } from './rpc-frames';
import type { ErrorInfo } from '../outcome';

/** One handler for each request; a missing one is a compile error. */
export type RequestHandlers = {
  [M in RequestMethod]: (params: RequestParams<M>, signal: AbortSignal) => Promise<RequestResults[M]>;
};

/** Like `RequestHandlers`, for the page of the format lab. */
export type LabHandlers = {
  [M in LabMethod]: (params: LabParams[M], signal: AbortSignal) => Promise<LabResults[M]>;
};

/** Like `RequestHandlers`, for the page *Recording*. */
export type RecordingHandlers = Pick<RequestHandlers, RunReadingMethod> & {
  [M in RecordingMethod]: (params: RecordingParams[M], signal: AbortSignal) => Promise<RecordingResults[M]>;
};

const PARAMS = { ...REQUEST_PARAMS, ...LAB_PARAMS, ...RECORDING_PARAMS };

const FrameId = v.pipe(v.string(), v.maxLength(100));
const FrameSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('request'),
    id: FrameId,
    method: v.pipe(v.string(), v.maxLength(100)),
    params: v.unknown(),
  }),
  v.strictObject({ kind: v.literal('cancel'), id: FrameId }),
]);
const RequestIdSchema = v.object({ kind: v.literal('request'), id: FrameId });

export interface RpcServerOptions {
  /** May throw or reject for a frame that the channel cannot carry; an error reply is then sent instead. */
  post: (frame: HostFrame) => unknown;
  /** Handlers of one page; requests of another page are refused. */
  handlers: RequestHandlers | LabHandlers | RecordingHandlers;
  /** Converts whatever a handler threw into an error that can be shown. */
  toErrorInfo: (error: unknown) => ErrorInfo | Promise<ErrorInfo>;
  /** Called for dropped and refused frames with what was wrong, never with their content. */
  onProblem: (problem: string) => void;
}

/** RPC server. Every request gets exactly one reply. */
export class RpcServer {
  readonly #options: RpcServerOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(options: RpcServerOptions) {
    this.#options = options;
  }

  emit<E extends HostEventName>(name: E, data: HostEvents[E]): void {
    void this.#send({ kind: 'event', name, data });
  }

  async receive(message: unknown): Promise<void> {
    const checked = check(FrameSchema, message);
    if ('problem' in checked) return this.#refuse(message, checked.problem);
    const frame = checked.output;
    if (frame.kind === 'cancel') this.#running.get(frame.id)?.abort();
    else await this.#answer(frame);
  }

  /** Aborts all requests in progress. */
  dispose(): void {
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  /** If a malformed frame has the id of a request, it is answered nevertheless, because someone waits for the reply. */
  async #refuse(message: unknown, problem: string): Promise<void> {
    this.#options.onProblem(`dropped a malformed message: ${problem}`);
    const request = check(RequestIdSchema, message);
    if ('problem' in request) return;
    await this.#send({ kind: 'reply', id: request.output.id, ok: false, error: invalidRequest(problem) });
  }

  async #answer({ id, method, params }: { id: string; method: string; params: unknown }): Promise<void> {
    const { handlers, toErrorInfo, onProblem } = this.#options;
    if (!isMethod(method)) {
      onProblem('refused a request of an unknown method');
      await this.#send({ kind: 'reply', id, ok: false, error: invalidRequest('there is no such request') });
      return;
    }
    const checked = check<v.GenericSchema>(PARAMS[method], params);
    if ('problem' in checked) {
      const problem = `${method}: ${checked.problem}`;
      onProblem(`refused a request, ${problem}`);
      await this.#send({ kind: 'reply', id, ok: false, error: invalidRequest(problem) });
      return;
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      // `checked.output` was validated by this method's own schema, so the cast is safe.
      const handler = (handlers as Readonly<Record<string, MethodHandler | undefined>>)[method];
      if (!handler) throw new Error(`This page asks for nothing like ${method}.`);
      const result = await handler(checked.output, controller.signal);
      await this.#options.post({ kind: 'reply', id, ok: true, result });
    } catch (error) {
      await this.#send({ kind: 'reply', id, ok: false, error: await explainSafely(error, toErrorInfo) });
    } finally {
      this.#running.delete(id);
    }
  }

  /** Never rejects. */
  async #send(frame: HostFrame): Promise<void> {
    try {
      await this.#options.post(frame);
    } catch {
      this.#options.onProblem(`a message could not be posted: ${frame.kind}`);
    }
  }
}

type MethodHandler = (params: unknown, signal: AbortSignal) => Promise<unknown>;

const isMethod = (method: string): method is keyof typeof PARAMS => Object.hasOwn(PARAMS, method);

/** A value on which the validation itself fails, for example because it is nested too deeply, is refused. */
function check<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): { output: v.InferOutput<S> } | { problem: string } {
  try {
    const parsed = v.safeParse(schema, value);
    return parsed.success ? { output: parsed.output } : { problem: describe(parsed.issues) };
  } catch {
    return { problem: 'message cannot be checked' };
  }
}

/** Never rejects: a request must be answered even when its failure cannot be explained. */
async function explainSafely(
  error: unknown,
  toErrorInfo: RpcServerOptions['toErrorInfo'],
): Promise<ErrorInfo> {
  try {
    return await toErrorInfo(error);
  } catch {
    return {
      code: 'internal',
      title: t('Something in the extension failed'),
      what: t('The extension could not do this, and the reason is not known.'),
      why: t('A part of it may be missing.'),
      next: t('Reload the window; if it happens again, reinstall the extension.'),
    };
  }
}

/** Says where and what is wrong, without the value, which may contain anything. */
function describe(issues: [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const [first] = issues;
  const place = v.getDotPath(first) ?? 'message';
  if (first.type === 'max_length') return `${place} is longer than ${String(first.requirement)}`;
  return `${place} should be ${first.expected ?? 'of another kind'}`;
}

function invalidRequest(problem: string): ErrorInfo {
  return {
    code: 'invalid-request',
    title: t('The request was refused'),
    what: t('The panel asked for something that the extension does not accept.'),
    why: problem,
    next: t(
      'If it is too long, shorten it; otherwise reload the window, and report it with the log if it happens again.',
    ),
  };
}
