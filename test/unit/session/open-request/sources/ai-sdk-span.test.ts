// The spans that the AI SDK itself writes, opened as requests.
import { generateText, jsonSchema, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, test } from 'vitest';
import { PROVIDER_CATALOG } from '../../../../../src/library';
import { findRequests, openedText, openRequest } from '../../../../../src/session/open-request';

type Members = Record<string, unknown>;

/** A tracer as OpenTelemetry has it, which keeps what it is told. */
function createTracer() {
  const spans: { name: string; attributes: Members }[] = [];
  const startSpan = (name: string, { attributes = {} }: { attributes?: Members } = {}) => {
    const span = { name, attributes: { ...attributes } };
    spans.push(span);
    const handle = {
      setAttribute: (key: string, value: unknown) => void (span.attributes[key] = value),
      setAttributes: (more: Members) => void Object.assign(span.attributes, more),
    };
    return new Proxy(handle, { get: (target, key) => Reflect.get(target, key) ?? (() => handle) });
  };
  const startActiveSpan = (name: string, ...rest: unknown[]) => {
    const run = rest.at(-1) as (span: unknown) => unknown;
    return run(startSpan(name, rest[0] as Members));
  };
  return { spans, tracer: { startSpan, startActiveSpan } as never };
}

const PARAMETERS = { type: 'object' as const, properties: { city: { type: 'string' as const } } };
const USAGE = {
  inputTokens: { total: 11, noCache: 11, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};

test('a step of a loop over tools opens with its reply', async () => {
  const { spans, tracer } = createTracer();
  await generateText({
    model: new MockLanguageModelV3({
      modelId: 'm',
      doGenerate: {
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'weather', input: '{"city":"Rome"}' },
        ],
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage: USAGE,
        warnings: [],
      } as never,
    }),
    system: 'Be kind.',
    temperature: 0.5,
    tools: { weather: tool({ description: 'd', inputSchema: jsonSchema(PARAMETERS) }) },
    toolChoice: 'required',
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: { city: 'Oslo' } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'weather',
            output: { type: 'text', value: '4 °C' },
          },
        ],
      },
    ],
    experimental_telemetry: { isEnabled: true, tracer },
  });
  const found = findRequests(JSON.stringify(spans));
  expect(found).toHaveLength(1);
  const opened = openRequest(found[0] ?? { headers: [], body: '', leftOut: [] }, PROVIDER_CATALOG);
  expect(opened.leftOut).toEqual([]);
  expect(JSON.parse(openedText(opened, 'c'))).toMatchObject({
    system: 'Be kind.',
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } }] },
      { role: 'tool', content: '4 °C', toolCallId: 'c1' },
    ],
    tools: [{ name: 'weather', description: 'd', parameters: { properties: PARAMETERS.properties } }],
    lanes: [{ model: 'm', sampling: { temperature: 0.5 }, toolChoice: 'required' }],
  });
  expect(JSON.parse(opened.reply?.body ?? '')).toMatchObject({
    choices: [
      {
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ id: 'c2', function: { name: 'weather', arguments: '{"city":"Rome"}' } }] },
      },
    ],
    usage: { prompt_tokens: 11, completion_tokens: 3 },
  });
});
