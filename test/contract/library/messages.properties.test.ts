// Any conversation, sent by a provider over a socket and read on the other side by an independent reader.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Message, Providers, ToolType } from '../../../src/library';
import { closeConnections, HostedApiProvider, LocalHostProvider } from '../../../src/library';
import { anyText } from '../../support/arbitrary/arbitrary-text';
import type { TestServer } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';
import { fc } from '../../support/arbitrary/properties';

type Side = 'local' | 'hosted';
type Json = Record<string, unknown>;

let server: TestServer;
let replies: unknown[];

beforeAll(async () => {
  server = await startServer((_, response) => sendJson(response, 200, replies.shift()));
});
afterAll(async () => {
  await closeConnections();
  await server[Symbol.asyncDispose]();
});

const PROVIDERS: Record<Side, () => Providers> = {
  local: () => new LocalHostProvider({ host: server.url, model: 'm' }),
  hosted: () => new HostedApiProvider({ host: server.url, apiKey: 'k' }),
};

/** A message independently of the protocol. */
interface Read {
  role: unknown;
  content: unknown;
  calls: { id: unknown; name: unknown; arguments: unknown }[];
  answers: unknown;
}

/** Reads the messages of a request as a server of that protocol does. */
function readMessages(side: Side, body: string): Read[] {
  const { messages } = JSON.parse(body) as { messages: Json[] };
  return messages.map(({ role, content, tool_calls: calls = [], tool_call_id: answers }) => ({
    role,
    content,
    answers,
    calls: (calls as { id: unknown; type?: unknown; function: { name: unknown; arguments: unknown } }[]).map(
      (call) => {
        if (side === 'hosted') expect(call.type).toBe('function');
        const args = call.function.arguments;
        expect(typeof args).toBe(side === 'hosted' ? 'string' : 'object');
        return {
          id: call.id,
          name: call.function.name,
          arguments: side === 'hosted' ? readArguments(String(args)) : args,
        };
      },
    ),
  }));
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const word = fc.string({ minLength: 1, maxLength: 12 });
const text = anyText({ maxLength: 30 });
const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })).map(asJson);
const anyCalls = (args: fc.Arbitrary<unknown>) =>
  // A blank name counts as none.
  fc.uniqueArray(fc.record({ id: word, name: word.filter((name) => name.trim() !== ''), arguments: args }), {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 3,
  });

/** Turns of a conversation; every call is followed by its result. */
const anyHistory: fc.Arbitrary<Message[]> = fc
  .array(
    fc.oneof(
      fc
        .record({
          role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const),
          content: text,
        })
        .map((message) => [message]),
      fc
        .record({ calls: anyCalls(anyObject), content: text, result: text, isError: fc.boolean() })
        .map(({ calls, content, result, isError }): Message[] => [
          { role: 'assistant', content, toolCalls: calls.map((call) => ({ ...call, source: 'native' })) },
          ...calls.map(({ id, name }): Message => ({
            role: 'tool',
            content: result,
            toolCallId: id,
            toolName: name,
            isError,
          })),
        ]),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((turns) => turns.flat());

const DONE: Record<Side, unknown> = {
  local: { message: { role: 'assistant', content: 'done' }, done: true },
  hosted: { choices: [{ message: { role: 'assistant', content: 'done' }, finish_reason: 'stop' }] },
};
const TOOLS: ToolType[] = [{ name: 'any', parameters: {} }];

describe.each(['local', 'hosted'] as const)('the %s protocol', (side) => {
  test('transmits the same roles, texts, calls, ids and results for any conversation', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (messages) => {
        replies = [DONE[side]];
        await PROVIDERS[side]().chat({ messages });
        expect(readMessages(side, server.requests.at(-1)?.body ?? '')).toEqual(
          messages.map(({ role, content, toolCalls = [], toolCallId, isError }) => ({
            role,
            content: isError ? `Error: ${content}` : content,
            answers: toolCallId,
            calls: toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
          })),
        );
      }),
      { numRuns: 50 },
    );
  });

  test('sends calls of a reply back with the same arguments, or {}, and their results with the same ids', async () => {
    // Servers accept only objects. In the hosted protocol arguments are text, so a reply may contain any JSON, which is sent
    // back as {}.
    const args = side === 'hosted' ? fc.oneof(anyObject, fc.jsonValue().map(asJson)) : anyObject;
    await fc.assert(
      fc.asyncProperty(anyCalls(args), fc.boolean(), text, async (calls, hasIds, result) => {
        const wire = calls.map(({ id, name, arguments: given }) => ({
          ...(hasIds && { id, type: 'function' }),
          function: { name, arguments: side === 'hosted' ? JSON.stringify(given) : given },
        }));
        const message = { role: 'assistant', content: '', tool_calls: wire };
        replies = [side === 'hosted' ? { choices: [{ message }] } : { message, done: true }, DONE[side]];
        const provider = PROVIDERS[side]();
        const { toolCalls, assistant } = await provider.chat({
          tools: TOOLS,
          messages: [{ role: 'user', content: 'go' }],
        });
        expect(toolCalls.map(({ name, arguments: read }) => [name, read])).toEqual(
          // The text `null` is a call without arguments.
          calls.map(({ name, arguments: given }) => [name, given ?? {}]),
        );
        if (hasIds) expect(toolCalls.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
        const results = toolCalls.map(({ id, name }): Message => ({
          role: 'tool',
          content: result,
          toolCallId: id,
          toolName: name,
        }));
        await provider.chat({ tools: TOOLS, messages: [assistant, ...results] });
        const [spoken, ...answers] = readMessages(side, server.requests.at(-1)?.body ?? '');
        expect(spoken?.calls).toEqual(
          toolCalls.map(({ id, name, arguments: read }) => ({ id, name, arguments: asSent(read) })),
        );
        expect(answers.map(({ answers: id, content }) => [id, content])).toEqual(
          toolCalls.map(({ id }) => [id, result]),
        );
        expect(new Set(answers.map(({ answers: id }) => id)).size).toBe(calls.length);
      }),
      { numRuns: 50 },
    );
  });
});

/** What is sent for arguments: an object or the text of one as it is, `{}` for anything else. */
function asSent(args: unknown): unknown {
  const value = typeof args === 'string' && args.trim() !== '' ? readArguments(args) : args;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
