// Replies of models whose servers have no parser for them, and a server that sends them in pieces of any size.
import type { ServerResponse } from 'node:http';
import { formatToolCalls } from '../../../src/library';
import type { Answer } from '../servers/http-server';

export const ANSWER = 'It is 4 °C in Oslo.';

const OSLO = { name: 'get_weather', arguments: { city: 'Oslo' } };
const ROME = { name: 'get_weather', arguments: { city: 'Rome' } };

/** Name, text, and the cities for which the tool is called. */
export const TEXTS: [name: string, text: string, cities: string[]][] = [
  ['hermes-json', formatToolCalls([OSLO], 'hermes-json'), ['Oslo']],
  [
    'a call in the middle of the text',
    `Let me look.\n${formatToolCalls([OSLO], 'hermes-json')}\nOne moment – ☃.`,
    ['Oslo'],
  ],
  ['two calls', `Both:\n${formatToolCalls([OSLO, ROME], 'hermes-json')}`, ['Oslo', 'Rome']],
  [
    'qwen-xml',
    '<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>',
    ['Oslo'],
  ],
  [
    'harmony',
    '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>',
    ['Oslo'],
  ],
  [
    'damaged JSON',
    "<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Oslo',}}\n</tool_call>",
    ['Oslo'],
  ],
  ['after thinking', `<think>Which city?</think>\n${formatToolCalls([OSLO], 'hermes-json')}`, ['Oslo']],
];

/** What is no call, and has to stay as it is. */
export const PROSE: [name: string, text: string][] = [
  ['prose', 'It rains in Oslo. Is <b>that</b> all?\n'],
  ['an unknown tool', '<tool_call>\n{"name": "get_whether", "arguments": {"city": "Oslo"}}\n</tool_call>'],
  [
    'an example in code',
    'Write `<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>` to call.',
  ],
  ['a call that is cut', 'Let me see. <tool_call>\n{"name": "get_weather", "arguments": {"city": "Os'],
];

export const piecesOf = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

/** How one protocol writes the reply of a model. */
export interface ReplyWriter {
  whole: (text: string) => object;
  /** The parts of a stream, exactly as they are sent. */
  stream: (pieces: readonly string[]) => string[];
  type: string;
}

/** Answers a question with the text, in pieces, and the results of its calls with an answer. */
export const modelServer =
  (writer: ReplyWriter, text: string, size: number): Answer =>
  ({ body }, response) => {
    const isResult = /"role":\s?"tool"|tool_result|function_call_output/.test(body);
    const said = isResult ? ANSWER : text;
    if (!/"stream":\s?true/.test(body)) return sendWhole(response, writer.whole(said));
    response.writeHead(200, { 'content-type': writer.type });
    for (const part of writer.stream(piecesOf(said, size))) response.write(part);
    response.end();
  };

function sendWhole(response: ServerResponse, document: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(document));
}
