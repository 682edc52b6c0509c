// Everything that was sent and received in one run, attempt by attempt, in the form that is stored beside the record of the
// run: redacted and bounded. Pure.
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { SamplingInput } from '../../../inspect';
import type { ObservedAttempt } from '../../../library';
import { isRecord } from '../../../library';
import type {
  AttemptEvidence,
  AttemptRecord,
  AttemptResponse,
  Exchange,
  ExchangeRequest,
  RecordedExchange,
  ToolType,
} from '../../../types';
import type { Setup } from '../setup';
import { redactorOf } from './redactor-of';

/** Limit of all bodies of a run together, in UTF-16 code units. Of the responses, the last one is stored first. */
const MAX_TEXT = 16 * 1024 * 1024;

export interface WireRecord {
  connectionId: string;
  model: string;
  /** The offered tools, with the fields that are needed to read a reply again. */
  tools: Pick<ToolType, 'name' | 'description' | 'parameters'>[];
  /** Each distinct request once, however often it was sent. */
  requests: StoredRequest[];
  attempts: WireAttempt[];
  sampling: SamplingInput;
  /** Of a request that another program sent: what is known besides. */
  recorded?: RecordedAround | undefined;
  /** What is different from what was asked because the back end has no form for it; sentences. */
  changed?: string[] | undefined;
}

export type RecordedAround = Omit<RecordedExchange, 'number' | 'request' | 'response'>;

export interface StoredRequest extends ExchangeRequest {
  /** SHA-256 of the body as it was sent; absent when a secret in the body was masked before hashing. */
  bodySha256?: string | undefined;
}

/** SHA-256 of the text in UTF-8, as lower-case hexadecimal digits. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');

export interface WireAttempt {
  /** Unique name of its folder: `attempt-2`, or `attempt-2-reconnect` for the dead connection before it. */
  name: string;
  /** Index into `requests`. */
  request: number;
  response?: AttemptResponse | undefined;
}

export interface ObservedRun {
  attempts: readonly Pick<ObservedAttempt, 'attempt' | 'evidence'>[];
  ledger: readonly AttemptRecord[];
  setup: Setup;
  exchange: Pick<Exchange, 'sent' | 'dropped' | 'changed'> | undefined;
  secrets: readonly string[];
}

/** A run whose attempts were observed while they were made. */
interface WatchedRun extends ObservedRun {
  attempts: readonly ObservedAttempt[];
}

/** What a run sent and received. */
export interface RunWire {
  /** Made when it is asked for, once: of most samples of an evaluation in a terminal nobody asks. */
  record: () => WireRecord;
  /** A field of the last response. @param name In lower case. */
  header: (name: string) => string | undefined;
}

/** To be called after the run has ended. */
export function toRunWire(run: WatchedRun): RunWire {
  let record: WireRecord | undefined;
  return {
    record: () => (record ??= toWireRecord(run)),
    header: (name) => run.attempts.at(-1)?.header(name),
  };
}

/** To be called after the run has ended, because it reads the evidence of all attempts. */
export function toWireRecord(run: ObservedRun): WireRecord {
  const { attempts, ledger, exchange, setup, secrets } = run;
  const { connection, model, tools, sampling } = setup;
  const evidence = attempts.map((attempt) => attempt.evidence());
  const seen = [...new Set(evidence.map(({ request }) => request))];
  const budget = new BodyBudget();
  const requests = seen.map((request) => ({
    ...request,
    ...(!request.isBodyMasked && { bodySha256: sha256(request.body) }),
    body: budget.take(request.body),
  }));
  // Backwards, so that the last response gets its space first.
  const responses = evidence.toReversed().map(({ response }) => response && boundResponse(response, budget));
  const names = nameAttempts(attempts, ledger);
  const { sent = {}, dropped = [], changed = [] } = exchange ?? {};
  return redactorOf(secrets).value({
    connectionId: connection.id,
    model,
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      ...(description !== undefined && { description }),
      parameters,
    })),
    requests,
    attempts: evidence.map(({ request }: AttemptEvidence, index) => {
      const response = responses.at(-1 - index);
      return {
        name: names[index] ?? '',
        request: seen.indexOf(request),
        ...(response && { response }),
      };
    }),
    sampling: {
      lane: sampling,
      connection: connection.sampling ?? {},
      keys: connection.samplingKeys ?? {},
      sent,
      dropped,
    },
    ...(changed.length > 0 && { changed }),
  });
}

/** Checks a stored value, which anybody may have changed. @returns undefined when it is no wire record */
export function readWireRecord(value: unknown): WireRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { connectionId, model, tools, requests, attempts, sampling, recorded, changed = [] } = value;
  const isWhole =
    typeof connectionId === 'string' &&
    typeof model === 'string' &&
    Array.isArray(tools) &&
    tools.every((tool) => isRecord(tool) && typeof tool.name === 'string' && isRecord(tool.parameters)) &&
    isRecord(sampling) &&
    ['lane', 'connection', 'keys', 'sent'].every((key) => isRecord(sampling[key])) &&
    Array.isArray(sampling.dropped) &&
    Array.isArray(changed) &&
    changed.every((sentence) => typeof sentence === 'string') &&
    Array.isArray(requests) &&
    requests.every(isRequest) &&
    Array.isArray(attempts) &&
    attempts.every((attempt) => isAttempt(attempt, requests.length)) &&
    (recorded === undefined || isAround(recorded));
  return isWhole ? (value as unknown as WireRecord) : undefined;
}

const isAround = (value: unknown): boolean =>
  isRecord(value) &&
  ['startedAt', 'endMs'].every((key) => typeof value[key] === 'number') &&
  ['program', 'endedBy'].every((key) => typeof value[key] === 'string') &&
  ['string', 'undefined'].includes(typeof value.repairing) &&
  (value.repaired === undefined ||
    (isRecord(value.repaired) &&
      typeof value.repaired.body === 'string' &&
      ['number', 'undefined'].includes(typeof value.repaired.heldMs) &&
      Array.isArray(value.repaired.calls) &&
      value.repaired.calls.every(isRecord)));

const isRequest = (value: unknown): boolean =>
  isRecord(value) &&
  ['method', 'url', 'body'].every((key) => typeof value[key] === 'string') &&
  isTexts(value.headers);

const isAttempt = (value: unknown, requests: number): boolean =>
  isRecord(value) &&
  typeof value.name === 'string' &&
  Number.isInteger(value.request) &&
  Number(value.request) >= 0 &&
  Number(value.request) < requests &&
  (value.response === undefined || isResponse(value.response));

const isResponse = (value: unknown): boolean =>
  isRecord(value) &&
  (value.status === undefined || typeof value.status === 'number') &&
  typeof value.body === 'string' &&
  isTexts(value.headers) &&
  (value.arrivals === undefined ||
    (Array.isArray(value.arrivals) && value.arrivals.every((one) => typeof one === 'number')));

const isTexts = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((text) => typeof text === 'string');

/** An attempt and the dead connection before it have the same number, so the name of the latter gets a suffix. */
function nameAttempts(attempts: ObservedRun['attempts'], ledger: readonly AttemptRecord[]): string[] {
  const taken = new Map<string, number>();
  return attempts.map(({ attempt }, index) => {
    const isReconnect = ledger[index]?.decision === 'reconnect';
    const name = `attempt-${attempt}${isReconnect ? '-reconnect' : ''}`;
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    // A provider module may send several requests, each with its own attempts.
    return count === 1 ? name : `${name}-${count}`;
  });
}

class BodyBudget {
  #left = MAX_TEXT;

  take(text: string): string {
    const taken = text.slice(0, this.#left);
    this.#left -= taken.length;
    return taken;
  }
}

function boundResponse(response: AttemptResponse, budget: BodyBudget): AttemptResponse {
  const { body, isBase64, omittedBytes = 0 } = response;
  const kept = budget.take(body);
  if (kept.length === body.length) return response;
  const bytesOf = (text: string): number => Buffer.byteLength(text, isBase64 ? 'base64' : 'utf8');
  return { ...response, body: kept, omittedBytes: omittedBytes + bytesOf(body) - bytesOf(kept) };
}
