// Streams of four protocols, written from what a model does, as servers and relays of them write it.

/** A call has the text of its arguments. */
export type Step =
  { kind: 'text' | 'thinking'; text: string } | { kind: 'call'; text: string } | { kind: 'comment' };

export interface Script {
  steps: Step[];
  /** Why the reply ends, in neutral words; `error`: it does not, because an error comes instead. */
  end: 'stop' | 'length' | 'filter' | 'error' | 'nothing';
}

export const TYPES: Readonly<Record<string, string>> = {
  '/chat/completions': 'text/event-stream',
  '/responses': 'text/event-stream',
  '/messages': 'text/event-stream; charset=utf-8',
  '/api/chat': 'application/x-ndjson',
};

/** By the path of a chat request. */
export const STREAMS: Readonly<Record<string, (script: Script) => string>> = {
  '/chat/completions': writeChatCompletions,
  '/responses': writeResponses,
  '/messages': writeMessages,
  '/api/chat': writeOllama,
};

const NAME = 'get_weather';
const COMMENT = ': keep-alive\n\n';
const ERROR = { type: 'server_error', message: 'It broke.' };

function writeChatCompletions({ steps, end }: Script): string {
  const event = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  let count = 0;
  const parts = steps.map((step) => {
    if (step.kind === 'comment') return COMMENT;
    if (step.kind === 'text') return event({ content: step.text });
    if (step.kind === 'thinking') return event({ reasoning_content: step.text });
    const index = count++;
    const called = (text: string, more: object, name?: string): string =>
      event({ tool_calls: [{ index, ...more, function: { ...(name && { name }), arguments: text } }] });
    const pieces = Array.from(step.text, (piece) => called(piece, {}));
    return [called('', { id: `call_${index}`, type: 'function' }, NAME), ...pieces].join('');
  });
  const reasons = { stop: count > 0 ? 'tool_calls' : 'stop', length: 'length', filter: 'content_filter' };
  const ends = {
    error: `data: ${JSON.stringify({ error: ERROR })}\n\n`,
    nothing: '',
  };
  const last = end === 'error' || end === 'nothing' ? ends[end] : event({}, reasons[end]);
  return `${event({ role: 'assistant', content: '' })}${parts.join('')}${last}data: [DONE]\n\n`;
}

interface Typed {
  type: string;
  [key: string]: unknown;
}

const eventOf = (document: Typed): string => `event: ${document.type}\ndata: ${JSON.stringify(document)}\n\n`;

interface Part {
  kind: Step['kind'];
  texts: string[];
}

/** Steps of a kind that follow each other are one part of the reply. */
function toParts(steps: readonly Step[]): Part[] {
  const parts: Part[] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    const texts = step.kind === 'comment' ? [] : [step.text];
    if (last?.kind === step.kind && step.kind !== 'call') last.texts.push(...texts);
    else parts.push({ kind: step.kind, texts });
  }
  return parts;
}

function writeMessages({ steps, end }: Script): string {
  const usage = { input_tokens: 1, output_tokens: 2 };
  const parts = toParts(steps);
  let index = -1;
  const bodies = parts.map(({ kind, texts }) => {
    if (kind === 'comment') return eventOf({ type: 'ping' }) + COMMENT;
    index += 1;
    const whole = {
      text: [{ type: 'text', text: '' }, 'text_delta', 'text'],
      thinking: [{ type: 'thinking', thinking: '', signature: '' }, 'thinking_delta', 'thinking'],
      call: [
        { type: 'tool_use', id: `toolu_${index}`, name: NAME, input: {} },
        'input_json_delta',
        'partial_json',
      ],
    } as const;
    const [block, type, key] = whole[kind];
    const pieces = kind === 'call' ? Array.from(texts.join('')) : texts;
    return [
      eventOf({ type: 'content_block_start', index, content_block: block }),
      ...pieces.map((piece) =>
        eventOf({ type: 'content_block_delta', index, delta: { type, [key]: piece } }),
      ),
      eventOf({ type: 'content_block_stop', index }),
    ].join('');
  });
  const hasCalls = parts.some(({ kind }) => kind === 'call');
  const reasons = { stop: hasCalls ? 'tool_use' : 'end_turn', length: 'max_tokens', filter: 'refusal' };
  const stop = eventOf({ type: 'message_stop' });
  const last =
    end === 'error'
      ? eventOf({ type: 'error', error: ERROR })
      : end === 'nothing'
        ? ''
        : eventOf({ type: 'message_delta', delta: { stop_reason: reasons[end] }, usage }) + stop;
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
  return `${eventOf({ type: 'message_start', message: { ...message, usage } })}${bodies.join('')}${last}`;
}

function writeResponses({ steps, end }: Script): string {
  const output: object[] = [];
  const documents: (Typed | undefined)[] = [];
  const response = (status: string, more: object = {}) => ({
    response: { id: 'resp_1', object: 'response', model: 'm', status, output: [...output], ...more },
  });
  documents.push({ type: 'response.created', ...response('in_progress') });
  for (const { kind, texts } of toParts(steps)) {
    if (kind === 'comment') documents.push(undefined);
    else documents.push(...writeItem(kind, texts, output));
  }
  const ends = {
    stop: { type: 'response.completed', ...response('completed') },
    length: {
      type: 'response.incomplete',
      ...response('incomplete', { incomplete_details: { reason: 'max_output_tokens' } }),
    },
    filter: {
      type: 'response.incomplete',
      ...response('incomplete', { incomplete_details: { reason: 'content_filter' } }),
    },
    error: { type: 'error', code: null, message: ERROR.message, param: null },
  };
  if (end !== 'nothing') documents.push(ends[end]);
  return documents
    .map((document, at) => (document ? eventOf({ ...document, sequence_number: at }) : COMMENT))
    .join('');
}

function writeItem(kind: 'text' | 'thinking' | 'call', texts: readonly string[], output: object[]): Typed[] {
  const place = { output_index: output.length };
  const id = `item_${output.length}`;
  const whole = texts.join('');
  const write = (item: object, begun: object, inner: Typed[]): Typed[] => {
    output.push({ id, ...item, status: 'completed' });
    return [
      {
        type: 'response.output_item.added',
        ...place,
        item: { id, ...item, ...begun, status: 'in_progress' },
      },
      ...inner.map((document) => ({ ...document, ...place, item_id: id })),
      { type: 'response.output_item.done', ...place, item: output.at(-1) },
    ];
  };
  if (kind === 'thinking') return write({ type: 'reasoning', summary: [] }, {}, []);
  if (kind === 'call')
    return write(
      { type: 'function_call', call_id: `call_${id}`, name: NAME, arguments: whole },
      { arguments: '' },
      [
        ...Array.from(whole, (delta) => ({ type: 'response.function_call_arguments.delta', delta })),
        { type: 'response.function_call_arguments.done', arguments: whole },
      ],
    );
  const part = (text: string) => ({ type: 'output_text', text, annotations: [] });
  const inner = [
    { type: 'response.content_part.added', part: part('') },
    ...texts.map((delta) => ({ type: 'response.output_text.delta', delta })),
    { type: 'response.output_text.done', text: whole },
    { type: 'response.content_part.done', part: part(whole) },
  ];
  const placed = inner.map((document) => ({ ...document, content_index: 0 }));
  return write({ type: 'message', role: 'assistant', content: [part(whole)] }, { content: [] }, placed);
}

function writeOllama({ steps, end }: Script): string {
  const line = (message: object, more: object = { done: false }): string =>
    `${JSON.stringify({ model: 'm', created_at: 't', message: { role: 'assistant', content: '', ...message }, ...more })}\n`;
  const parts = steps.map((step) => {
    if (step.kind === 'text') return line({ content: step.text });
    if (step.kind === 'thinking') return line({ thinking: step.text });
    if (step.kind === 'comment') return '';
    return line({ tool_calls: [{ function: { name: NAME, arguments: { city: step.text } } }] });
  });
  const reasons = { stop: 'stop', length: 'length', filter: 'content_filter' };
  if (end === 'nothing') return parts.join('');
  const last =
    end === 'error'
      ? `${JSON.stringify({ error: ERROR.message })}\n`
      : line({}, { done: true, done_reason: reasons[end], eval_count: 2 });
  return parts.join('') + last;
}
