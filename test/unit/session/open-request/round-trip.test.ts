// Every form in which a request can be copied opens to the playground of the request itself.
import { describe, expect, test } from 'vitest';
import type { CopyForm } from '../../../../src/inspect';
import { copyAs, copyForms } from '../../../../src/inspect';
import type { ExchangeRequest } from '../../../../src/library';
import { PROVIDER_CATALOG } from '../../../../src/library';
import { findRequests, openedText, openRequest } from '../../../../src/session/open-request';

const HOSTILE =
  'it\'s "so" $(touch copied) `id` ${HOME} $HOME %PATH% !! \\ \\\' ‘a’ ‚b‛ “c” „d” # @x <tag> \u2028 🌦️ é\nnext\ttab\r\n' +
  "'@\nEOF\n```\ncurl x ^\n\u0007";

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const DECLARED = { name: 'get_weather', description: HOSTILE, parameters: SCHEMA };
const CALL = { name: 'get_weather', arguments: '{"city":"O\'Slo","days":9007199254740991}' };
const CHAT = [
  { role: 'system', content: HOSTILE },
  { role: 'user', content: 'Weather?' },
];

interface Case {
  url: string;
  header: string;
  body: Record<string, unknown>;
  sent: Record<string, string>;
}

const CASES: Readonly<Record<string, Case>> = {
  'chat completions': {
    url: 'https://host.example/v1/chat/completions?api-version=1',
    header: 'authorization',
    body: {
      model: "m'1",
      messages: [
        ...CHAT,
        { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: CALL }] },
        { role: 'tool', tool_call_id: 'c1', content: '{"temp": true, "none": null}' },
      ],
      tools: [{ type: 'function', function: DECLARED }],
      tool_choice: 'required',
      temperature: 0,
      stop: ['a', HOSTILE],
      max_tokens: 12,
      top_k: 40,
      nested: { a: [], b: {}, c: null },
      stream: true,
      stream_options: { include_usage: true },
    },
    sent: { temperature: 'temperature', stop: 'stop', maxTokens: 'max_tokens' },
  },
  ollama: {
    url: 'http://127.0.0.1:11434/api/chat',
    header: 'x-token',
    body: {
      model: 'm',
      messages: [
        ...CHAT,
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c1', function: { ...CALL, arguments: { city: 'Oslo' } } }],
        },
        { role: 'tool', content: '4', tool_name: 'get_weather', tool_call_id: 'c1' },
      ],
      tools: [{ type: 'function', function: DECLARED }],
      options: { temperature: 0, num_ctx: 4096, num_batch: 64, stop: [HOSTILE] },
      keep_alive: '5m',
      stream: true,
    },
    sent: { temperature: 'options.temperature', numCtx: 'options.num_ctx', stop: 'options.stop' },
  },
  messages: {
    url: 'https://host.example/v1/messages',
    header: 'x-api-key',
    body: {
      model: 'claude-x',
      max_tokens: 12,
      system: HOSTILE,
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Oslo' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '4' }] },
      ],
      tools: [{ name: 'get_weather', description: HOSTILE, input_schema: SCHEMA }],
      tool_choice: { type: 'any' },
      metadata: { user_id: 'x' },
      stream: true,
    },
    sent: { maxTokens: 'max_tokens' },
  },
  responses: {
    url: 'https://host.example/v1/responses',
    header: 'authorization',
    body: {
      model: 'm',
      input: [
        { type: 'message', role: 'system', content: HOSTILE },
        { type: 'message', role: 'user', content: 'Weather?' },
        { type: 'function_call', call_id: 'c1', ...CALL },
        { type: 'function_call_output', call_id: 'c1', output: '4' },
      ],
      tools: [{ type: 'function', ...DECLARED, strict: false }],
      store: false,
      text: { verbosity: 'low' },
      stream: true,
    },
    sent: {},
  },
};

const open = (text: string): { document: unknown; leftOut: string[]; host: string | undefined } => {
  const [found, ...others] = findRequests(text);
  expect(others).toEqual([]);
  if (!found) throw new Error('Nothing was found.');
  const opened = openRequest(found, PROVIDER_CATALOG);
  return { document: JSON.parse(openedText(opened, 'c')), leftOut: opened.leftOut, host: opened.host };
};

describe.each(Object.entries(CASES))('a request of %s', (name, { url, header, body, sent }) => {
  const masked = header === 'authorization' ? 'Bearer ********' : '********';
  const request: ExchangeRequest = {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', [header]: masked, 'x-title': 'It\'s "me" $(x) \\' },
    body: JSON.stringify(body),
  };
  const forms = copyForms(request, PROVIDER_CATALOG);

  test('has forms to be copied in', () => expect(forms.length).toBeGreaterThan(4));

  test.each(forms)('is opened from %s', (form: CopyForm) => {
    const copied = copyAs(form, request, { variable: 'MY_KEY', sent, catalog: PROVIDER_CATALOG });
    const opened = open(copied?.text ?? '');
    const expected = open(JSON.stringify(body));
    expect(opened.document).toEqual(expected.document);
    expect(opened.host).toBe(url.replace(/\/(?:chat\/completions|api\/chat|v1\/messages|responses)/, ''));
    if (name !== 'ollama' || form !== 'ollama') expect(opened.leftOut.join()).toMatch(/header x-title/);
  });

  test('is opened from raw HTTP, with its reply', () => {
    const { pathname, search, host } = new URL(url);
    const lines = [
      `POST ${pathname}${search} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/json',
      '',
    ];
    const reply = ['HTTP/1.1 200 OK', 'Content-Type: application/json', '', '{"ok":true}'];
    const text = [...lines, request.body, '', ...reply].join('\r\n');
    expect(open(text).document).toEqual(open(JSON.stringify(body)).document);
    expect(findRequests(text)[0]?.reply).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"ok":true}',
    });
  });
});
