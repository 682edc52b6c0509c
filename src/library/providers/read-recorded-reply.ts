// Reads the body of a reply that another program received. Pure.
import type { ExchangeToolCall } from '../../types';
import { StreamFailure } from '../transport/client/stream-reader';
import { parseJson } from '../util/json';
import { isServerError } from '../wire/reply/server-words';
import type { WireReply } from '../wire/wire-shapes';
import type { ChatProtocol } from './wire-provider';

/** What a recorded reply says; or one sentence that says why it cannot be read. */
export type RecordedReply =
  { raw: WireReply; toolCalls: ExchangeToolCall[]; problem?: undefined } | { problem: string };

const NO_REPLY = 'the body is no reply of this protocol';

/** @returns how a recorded reply of the protocol is read */
export const readRecordedReply =
  ({ createStream, isStream, fromReply, readCallTexts }: ChatProtocol) =>
  (body: string, offered: readonly string[]): RecordedReply => {
    try {
      const document = isStream(body) ? readStream(body, offered, createStream) : parseJson(body);
      if (document === undefined || isServerError(document)) return { problem: NO_REPLY };
      const raw = fromReply(document);
      return typeof raw === 'string' ? { problem: raw } : { raw, toolCalls: readCallTexts(document) };
    } catch (error) {
      if (error instanceof StreamFailure) return { problem: error.message };
      throw error;
    }
  };

/** @throws StreamFailure */
function readStream(
  body: string,
  offered: readonly string[],
  createStream: ChatProtocol['createStream'],
): unknown {
  const stream = createStream(
    () => undefined,
    (text) => text,
    offered,
  );
  stream.push(Buffer.from(body));
  stream.end();
  return stream.document();
}
