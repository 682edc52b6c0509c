// A fixture for every cause that the doctor knows: what a real server sent, or a made-up reply if no server was recorded
// with it. A cause without a fixture does not compile.
import { diagnoseModel } from '../../../../src/inspect';
import { PROVIDER_CATALOG } from '../../../../src/library';
import type { ChatTurn, Finding, FindingCause, ModelInfo, Remedy } from '../../../../src/types';
import type { Circumstances } from '../../../support/diagnosis/diagnosis';
import {
  failureFindings,
  findingOf,
  HOSTED_SETTING,
  LOCAL_SETTING,
  turnOf,
  turnOfProtocol,
} from '../../../support/diagnosis/diagnosis';
import type { Made } from '../../../support/session/made-turns';
import { hermes, LIST, LOCAL_URL, toMadeTurn } from '../../../support/session/made-turns';
import { readRecorded } from '../../../support/messages/recorded';
import { readRecording } from '../../../contract/wire/official-readings';
import { NATIVE, WEATHER } from '../../../support/session/turns';

const OTHER = { connectionId: 'other', label: 'Other side' };

export interface Fixture {
  /** `recorded`: a real server sent it. `made up`: no server was recorded with it. */
  source: 'recorded' | 'made up';
  find: () => Finding | Promise<Finding>;
  /** One of the expected quotes, or a part of it. */
  quote?: string;
  remedy?: Remedy;
}

/** A fixture from a recording, in these circumstances of a lane. */
const recorded = (
  cause: FindingCause,
  name: string,
  { rescue = true, ...circumstances }: Circumstances & { rescue?: boolean } = {},
): Pick<Fixture, 'source' | 'find'> => ({
  source: 'recorded',
  find: async () => {
    const isOther = /-(?:messages|responses)-/.test(name);
    const { turn, tools } = await (isOther
      ? turnOfProtocol(name)
      : turnOf(name, { rescueToolCalls: rescue }));
    return findingOf(cause, turn, { tools, ...circumstances });
  },
});

const MORE_TOKENS: Remedy = { kind: 'sampling', key: 'maxTokens', value: 1024 };

/** A fixture from the server's message of a failure. */
const refused = (
  cause: FindingCause,
  words: string,
  { setting = LOCAL_SETTING, ...more }: Parameters<typeof failureFindings>[1] = {},
): Pick<Fixture, 'source' | 'find'> => ({
  source: 'recorded',
  find: () => pick(cause, failureFindings(words, { setting, ...more })),
});

const pick = (cause: FindingCause, findings: readonly Finding[]): Finding => {
  const found = findings.find((finding) => finding.cause === cause);
  if (found) return found;
  throw new Error(`There is no ${cause}.`);
};

const TOOLS = [WEATHER];

const madeUp = (
  cause: FindingCause,
  made: Made,
  { tools = TOOLS, ...circumstances }: Circumstances = {},
): Pick<Fixture, 'source' | 'find'> => ({
  source: 'made up',
  find: () => findingOf(cause, toMadeTurn(made, tools), { tools, ...circumstances }),
});
const ofModel = (
  cause: FindingCause,
  model: ModelInfo | undefined,
  usage: ChatTurn['usage'] = { promptTokens: 40 },
): Pick<Fixture, 'source' | 'find'> => ({
  source: 'made up',
  find: () =>
    pick(
      cause,
      diagnoseModel({
        catalog: PROVIDER_CATALOG,
        model,
        request: toMadeTurn({ url: LOCAL_URL }, TOOLS).exchange.request,
        usage,
        hasTools: true,
        setting: LOCAL_SETTING,
      }),
    ),
});
export const CAUSE_FIXTURES = {
  'unknown-tool': {
    ...madeUp('unknown-tool', { native: [{ ...NATIVE, name: 'get_wether' }] }),
    quote: 'get_wether',
    remedy: { kind: 'rename-tool', tool: 'get_weather', to: 'get_wether' },
  },
  'nameless-call': {
    ...madeUp('nameless-call', {
      change: ({ exchange }) => {
        exchange.toolCalls = [{ rawArguments: '{"city":"Oslo"}', isNameless: true }];
      },
    }),
    quote: '{"city":"Oslo"}',
  },
  'markup-in-name': {
    ...madeUp('markup-in-name', { native: [{ ...NATIVE, name: 'get_weather</arg_value>' }] }),
    quote: 'get_weather</arg_value>',
  },
  'invalid-json': {
    ...recorded('invalid-json', 'llamacpp-chat-tools-truncated'),
    quote: '{"city": "Paris"',
    remedy: { kind: 'sampling', key: 'maxTokens', value: 1_024 },
  },
  schema: {
    ...recorded('schema', 'llamacpp-chat-tools', {
      tools: [{ ...WEATHER, parameters: { properties: { city: { enum: ['Oslo', 'Bergen'] } } } }],
    }),
    quote: 'Paris',
    remedy: { kind: 'sampling', key: 'temperature', value: 0 },
  },
  'text-for-list': {
    ...madeUp(
      'text-for-list',
      { native: [{ ...NATIVE, name: 'find_flights', arguments: { via: '["Oslo", "Bergen"]' } }] },
      { tools: [LIST] },
    ),
    quote: '["Oslo", "Bergen"]',
  },
  'repeated-id': {
    ...madeUp('repeated-id', {
      native: [NATIVE, { ...NATIVE, id: 'call_1_2' }],
      change: ({ exchange }) => {
        exchange.toolCalls = [{ rawArguments: '{}' }, { rawArguments: '{}', repeatedId: 'call_1' }];
      },
    }),
    quote: 'call_1',
  },
  'call-as-text': {
    ...madeUp('call-as-text', { content: `Sure. ${hermes('get_weather', { city: 'Oslo' })}` }),
    quote: '"get_weather"',
  },
  'damaged-call': {
    ...madeUp('damaged-call', {
      content: `<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Oslo',}}`,
    }),
    quote: "'city'",
    remedy: { kind: 'sampling', key: 'temperature', value: 0 },
  },
  'left-as-text': {
    ...madeUp('left-as-text', {
      content: '<tool_call>\n{"name": "get_weather", "arguments": {"ci',
      finishReason: 'length',
    }),
    quote: '"arguments": {"ci',
    remedy: { kind: 'sampling', key: 'maxTokens', value: 1_024 },
  },
  'call-in-reasoning': {
    ...madeUp('call-in-reasoning', {
      content: 'It is cold.',
      reasoning: `I could ask: ${hermes('get_weather', { city: 'Oslo' })}`,
      url: LOCAL_URL,
    }),
    quote: '<tool_call>',
    remedy: { kind: 'raw', path: ['think'], value: false },
  },
  'call-in-code': {
    ...madeUp('call-in-code', {
      content: `Such a call looks like this:\n\`\`\`python\n${hermes('get_weather', { city: 'Oslo' })}\n\`\`\`\nand so on.`,
    }),
    quote: '"city"',
    remedy: { kind: 'tool-choice', choice: 'required' },
  },
  'leftover-markup': {
    ...madeUp('leftover-markup', { content: 'It is cold in Oslo.</tool_call><|im_end|>' }),
    quote: '</tool_call>',
  },
  'reasoning-in-text': {
    ...recorded('reasoning-in-text', 'llamacpp-chat-reasoning-format-none'),
    quote: '<think>',
  },
  'unread-call': {
    ...madeUp('unread-call', { content: '<function=', finishReason: 'tool_call_parse_error' }),
    quote: '<function=',
    remedy: { kind: 'sampling', key: 'temperature', value: 0 },
  },
  'rescue-off': {
    ...madeUp('rescue-off', { content: hermes('get_weather', { city: 'Oslo' }), isRescued: false }),
    quote: '"get_weather"',
    remedy: { kind: 'rescue-on' },
  },
  'choice-none': {
    ...recorded('choice-none', 'llamacpp-chat-tools-none', { setting: { toolChoice: 'none' } }),
    quote: 'none',
    remedy: { kind: 'tool-choice', choice: 'auto' },
  },
  'lost-arguments': {
    ...recorded('lost-arguments', 'llamacpp-messages-call-cut'),
    quote: '{}',
    remedy: MORE_TOKENS,
  },
  'untold-cut': {
    ...recorded('untold-cut', 'llamacpp-responses-max-tokens'),
    quote: 'completed',
    remedy: MORE_TOKENS,
  },
  'no-stream-end': {
    ...refused('no-stream-end', '', {
      url: 'http://h/v1/messages',
      status: 200,
      response: readRecording('ollama-messages-killed-stream').response.body,
    }),
    quote: 'content_block_delta',
  },
  'choice-ignored': {
    ...recorded('choice-ignored', 'ollama-v1-chat-tools-required'),
    quote: 'required',
  },
  'finish-without-call': {
    ...madeUp('finish-without-call', { content: 'Well.', finishReason: 'tool_calls' }),
    quote: 'tool_calls',
  },
  'nothing-arrived': {
    ...recorded('nothing-arrived', 'ollama-go-tools-broken', { setting: { otherSide: OTHER } }),
    quote: '6',
    remedy: { kind: 'connection', ...OTHER },
  },
  'empty-reply': { ...madeUp('empty-reply', {}), quote: 'stop' },
  'only-reasoning': {
    ...madeUp('only-reasoning', { reasoning: 'I will call it now.' }),
    quote: 'I will call it now.',
  },
  'reply-filtered': {
    ...madeUp('reply-filtered', { finishReason: 'content_filter' }),
    quote: 'content_filter',
  },
  'nothing-offered': {
    ...recorded('nothing-offered', 'llamacpp-chat', { idleTools: ['get_weather'] }),
    quote: 'get_weather',
    remedy: { kind: 'offer-tool', tool: 'get_weather' },
  },
  'tools-not-sent': {
    ...madeUp('tools-not-sent', {
      content: 'No.',
      body: { tools: [] },
      change: ({ exchange }) => exchange.overridden.push('tools'),
    }),
    quote: '[]',
    remedy: { kind: 'raw', path: ['tools'] },
  },
  'model-without-tools': {
    ...refused('model-without-tools', readRecorded('ollama-chat-tools-unsupported').response.body),
    quote: 'does not support tools',
  },
  'model-with-tools': {
    ...ofModel('model-with-tools', { id: 'm', capabilities: ['completion', 'tools'] }),
    quote: 'completion, tools',
  },
  'model-untold': ofModel('model-untold', undefined),
  'server-without-tools': {
    // The message as it appears in the source of llama-server.
    ...refused('server-without-tools', 'tools param requires --jinja flag', { setting: HOSTED_SETTING }),
    source: 'made up',
    quote: '--jinja',
  },
  'ollama-v1': {
    ...recorded('ollama-v1', 'ollama-v1-chat-tools-required', { setting: { otherSide: OTHER } }),
    quote: 'fp_ollama',
    remedy: { kind: 'connection', ...OTHER },
  },
  'no-call': {
    ...recorded('no-call', 'llamacpp-auto-text'),
    quote: 'pick_color',
    remedy: { kind: 'tool-choice', choice: 'required' },
  },
  'prompt-cut': {
    ...recorded('prompt-cut', 'ollama-go-overflow'),
    quote: '1026',
    remedy: { kind: 'sampling', key: 'numCtx', value: 8_192 },
  },
  'prompt-too-long': {
    ...refused('prompt-too-long', readRecorded('ollama-chat-overflow').response.body),
    quote: 'request (20010 tokens)',
    remedy: { kind: 'sampling', key: 'numCtx', value: 32_768 },
  },
  'context-too-small': {
    ...madeUp('context-too-small', {
      url: LOCAL_URL,
      body: { messages: [{ role: 'user', content: 'word '.repeat(1_000) }], options: { num_ctx: 512 } },
      usage: { promptTokens: 400 },
    }),
    quote: '512',
    remedy: { kind: 'sampling', key: 'numCtx', value: 4_096 },
  },
  'context-full': {
    ...recorded('context-full', 'ollama-chat-bigmax-noshift', {
      setting: { raw: { options: { num_ctx: 256 } } },
    }),
    quote: '256',
    // The lane sets it in raw, which wins over sampling.
    remedy: { kind: 'raw', path: ['options', 'num_ctx'], value: 4_096 },
  },
  'context-fits': {
    ...ofModel('context-fits', { id: 'm', contextLength: 4_096 }),
    quote: '4096',
  },
  'context-limit': {
    ...recorded('context-limit', 'ollama-chat-ctx-runaway'),
    quote: 'length',
    remedy: { kind: 'sampling', key: 'numCtx', value: 4_096 },
  },
  'token-limit': {
    ...recorded('token-limit', 'llamacpp-reasoning-truncated'),
    quote: '3',
    remedy: { kind: 'sampling', key: 'maxTokens', value: 1_024 },
  },
  'no-finish-reason': {
    ...madeUp('no-finish-reason', {
      content: 'Hi',
      change: ({ raw, exchange }) => {
        delete raw.finishReason;
        exchange.response = { status: 200, headers: {}, body: 'data: {}\n\ndata: [DONE]\n\n' };
      },
    }),
    quote: '(none)',
  },
  'no-such-model': {
    ...refused('no-such-model', readRecorded('ollama-chat-404').response.body),
    quote: 'nope',
  },
  'refused-tool': {
    ...refused('refused-tool', "Invalid 'tools[0].function.name': string does not match pattern.", {
      body: { tools: [{ type: 'function', function: { name: 'get weather!', parameters: {} } }] },
    }),
    quote: 'get weather!',
    remedy: { kind: 'rename-tool', tool: 'get weather!', to: 'get_weather_' },
  },
  'refused-messages': {
    ...refused('refused-messages', 'Jinja Exception: Conversation roles must alternate user/assistant/…', {
      body: { messages: ['How warm is it?', 'In Oslo.'].map((content) => ({ role: 'user', content })) },
    }),
    source: 'made up',
    quote: 'In Oslo.',
  },
  'refused-parameter': {
    ...refused('refused-parameter', '`temperature` is deprecated for this model.', {
      setting: { ...HOSTED_SETTING, sampling: { temperature: 0 } },
    }),
    source: 'made up',
    quote: '`temperature` is deprecated for this model',
    remedy: { kind: 'leave-out', key: 'temperature' },
  },
  'thinking-or-choice': {
    ...refused('thinking-or-choice', 'Thinking may not be enabled when tool_choice forces tool use.'),
    source: 'made up',
    quote: 'Thinking may not be enabled when tool_choice forces',
    remedy: { kind: 'tool-choice', choice: 'auto' },
  },
  'no-stored-response': {
    ...refused('no-stored-response', "llama.cpp does not support 'previous_response_id'.", {
      setting: { ...HOSTED_SETTING, raw: { previous_response_id: 'resp_1' } },
    }),
    source: 'made up',
    quote: "does not support 'previous_response_id",
    remedy: { kind: 'raw', path: ['previous_response_id'] },
  },
  'history-replaced': madeUp('history-replaced', {
    change: ({ exchange }) => (exchange.replaced = ['messages[0].content']),
  }),
  'sampling-dropped': madeUp('sampling-dropped', {
    change: ({ exchange }) => exchange.dropped.push('topK'),
  }),
  'raw-replaced': madeUp('raw-replaced', {
    change: ({ exchange }) => exchange.overridden.push('temperature'),
  }),
  'request-changed': madeUp('request-changed', {
    change: ({ exchange }) => (exchange.changed = ['The tools were left out.']),
  }),
  attempts: madeUp('attempts', {
    change: (turn) => {
      const attempt = { startedAt: 0, endMs: 9, reason: '', endedBy: 'server' as const };
      turn.ledger = [
        { ...attempt, attempt: 1, status: 429, decision: 'retry', delayMs: 5 },
        { ...attempt, attempt: 2, status: 200, decision: 'done' },
      ];
    },
  }),
} satisfies Record<FindingCause, Fixture>;
