// Writes streams of the Responses API, and reads them like a provider.
import type { ChatDelta } from '../../../../src/library';
import { StreamFailure } from '../../../../src/library/transport/client/stream-reader';
import { ResponsesStream } from '../../../../src/library/wire/responses/responses-stream';
import { fromResponsesReply } from '../../../../src/library/wire/responses/responses-wire';

export const call = (id: string, args: unknown = {}) => ({
  id,
  name: 'clock',
  arguments: args,
  source: 'native' as const,
});

export const event = (type: string, fields: object = {}): string => {
  const name = type === 'error' ? type : `response.${type}`;
  return `event: ${name}\ndata: ${JSON.stringify({ type: name, ...fields })}\n\n`;
};
export const START = event('created', { response: { id: 'resp_1', model: 'm', status: 'in_progress' } });
export const end = (fields: object = {}, status = 'completed'): string =>
  event(status, { response: { id: 'resp_1', model: 'm', status, error: null, output: [], ...fields } });
export const added = (output_index: number | undefined, item: object): string =>
  event('output_item.added', { output_index, item });
export const done = (output_index: number | undefined, item: object): string =>
  event('output_item.done', { output_index, item });
export const text = (output_index: number | undefined, delta: string, more: object = {}): string =>
  event('output_text.delta', { output_index, delta, ...more });
export const args = (output_index: number | undefined, delta: string, more: object = {}): string =>
  event('function_call_arguments.delta', { output_index, delta, ...more });
export const message = (said: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text: said }],
});
export const item = (id: string, json = '') => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'clock',
  arguments: json,
});

export function readAll(body: string, size = body.length) {
  const deltas: ChatDelta[] = [];
  const stream = new ResponsesStream((delta) => deltas.push(delta));
  const bytes = Buffer.from(body);
  try {
    for (let at = 0; at < bytes.length; at += size) stream.push(bytes.subarray(at, at + size));
    stream.end();
  } catch (error) {
    if (!(error instanceof StreamFailure)) throw error;
    return { kind: error.kind, message: error.message, told: error.told, partial: stream.partial() };
  }
  const said = deltas.map(({ content = '' }) => content).join('');
  const reply = fromResponsesReply(stream.document());
  return typeof reply === 'string' ? { reply, said } : { ...reply, said };
}
