// Any request, sent by a provider of the catalog over a socket and read back from its body.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  ChatOptions,
  ConnectionCredentials,
  Exchange,
  Message,
  NeutralRequest,
  ToolChoice,
} from '../../../src/library';
import { closeConnections, PROVIDER_CATALOG } from '../../../src/library';
import { anySampling } from '../../support/arbitrary/arbitrary-sampling';
import { anyText } from '../../support/arbitrary/arbitrary-text';
import type { TestServer } from '../../support/servers/http-server';
import { sendJson, startServer } from '../../support/servers/http-server';
import { MADE_UP } from '../../support/made-up/made-up-provider';
import { fc, runs } from '../../support/arbitrary/properties';

type Json = Record<string, unknown>;

let server: TestServer;

beforeAll(async () => {
  server = await startServer((_, response) => sendJson(response, 400, {}));
});
afterAll(async () => {
  await closeConnections();
  await server[Symbol.asyncDispose]();
});

const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
const word = fc.string({ minLength: 1, maxLength: 9 }).filter((one) => one.trim() !== '');
const text = anyText({ maxLength: 20 });
const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map(asJson);
const anyCalls = fc.uniqueArray(fc.record({ id: word, name: word, arguments: anyObject }), {
  selector: ({ id }) => id,
  minLength: 1,
  maxLength: 3,
});
const anyResult = fc
  .record({ content: text, isError: fc.boolean() })
  .filter(({ content, isError }) => isError || !content.startsWith('Error: '))
  .map(({ content, isError }) => ({ content, ...(isError && { isError }) }));
const anyTurn: fc.Arbitrary<Message[]> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: text }).map((one) => [one]),
  fc
    .record({ calls: anyCalls, content: text, result: anyResult })
    .map(({ calls, content, result }): Message[] => [
      { role: 'assistant', content, toolCalls: calls.map((call) => ({ ...call, source: 'native' })) },
      ...calls.map(({ id, name }): Message => ({ role: 'tool', ...result, toolCallId: id, toolName: name })),
    ]),
);
const anyTools = fc.array(
  fc.record(
    {
      name: word,
      description: text,
      parameters: anyObject.map((more) => ({ type: 'object', properties: {}, ...more })),
    },
    { requiredKeys: ['name', 'parameters'] },
  ),
  { maxLength: 2 },
);
/** Parameters that a document takes as whole numbers only; another number of theirs stays in `raw`. */
const WHOLE = ['topK', 'seed', 'maxTokens', 'numCtx'] as const;
const anyReadableSampling = anySampling.map((sampling) => {
  const whole = WHOLE.flatMap((key) =>
    sampling[key] === undefined ? [] : [[key, Math.trunc(sampling[key] % 1e6)]],
  );
  return asJson({ ...sampling, ...Object.fromEntries(whole) });
});
const anyInput = fc
  .record({
    model: word,
    messages: fc.array(anyTurn, { maxLength: 4 }).map((turns) => turns.flat()),
    tools: anyTools,
    sampling: anyReadableSampling,
    choice: fc.option(fc.constantFrom('auto', 'none', 'required', 'named'), { nil: undefined }),
    isStreamed: fc.boolean(),
  })
  .map(({ choice, ...input }) => {
    const [tool] = input.tools;
    const toolChoice: ToolChoice | undefined = choice === 'named' ? tool && { tool: tool.name } : choice;
    return { ...input, toolChoice };
  });

describe.each([...PROVIDER_CATALOG, MADE_UP])('a request of $id', (entry) => {
  /** Sends a request. @returns the body as the server got it, and which sampling it has */
  async function send(
    credentials: ConnectionCredentials,
    { isStreamed, ...input }: Omit<NeutralRequest, 'model' | 'raw'>,
  ): Promise<{ body: Json; sent: Exchange['sent'] }> {
    const provider = entry.create({
      host: server.url,
      apiKey: 'k',
      retry: { maxAttempts: 1 },
      ...credentials,
    });
    const options: ChatOptions = {
      ...input,
      ...(isStreamed && { onDelta: () => undefined }),
    };
    const error: unknown = await provider.chat(options).catch((thrown: unknown) => thrown);
    expect(server.requests.at(-1)?.url.endsWith(entry.chatPath)).toBe(true);
    const { sent } = (error as { exchange: Exchange }).exchange;
    return { body: JSON.parse(server.requests.at(-1)?.body ?? '') as Json, sent };
  }

  // The Messages API joins system texts and rewrites ids, and in the Responses API two replies in a row look like one.
  test.skipIf(['messages-api', 'responses-api'].includes(entry.id))(
    'is read back as what was asked for',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyInput, async ({ model, toolChoice, ...input }) => {
          const { body, sent } = await send({ model }, { ...input, toolChoice });
          const sampling = Object.entries(input.sampling).filter(([key]) => Object.hasOwn(sent, key));
          expect(asJson(entry.readRequest({ body, sent }))).toEqual(
            asJson({
              model,
              ...input,
              sampling: Object.fromEntries(sampling),
              ...(entry.toolChoiceKey !== null && input.tools.length > 0 && { toolChoice }),
              raw: {},
            }),
          );
        }),
        { numRuns: runs(500) },
      );
    },
  );

  test('makes the same body from what was read back', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput, async ({ model, ...input }) => {
        const first = await send({ model }, input);
        const { model: again, raw, ...read } = entry.readRequest(first);
        expect((await send({ model: again, raw }, read)).body).toEqual(first.body);
      }),
      { numRuns: runs(300) },
    );
  });

  test('has all of any body when it is sent again, whatever that contains', async () => {
    const anyPart = fc.oneof(anyObject, fc.jsonValue({ maxDepth: 4 }).map(asJson), fc.array(anyObject));
    const anyMessage = fc.record(
      {
        role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'developer', null),
        content: fc.oneof(text, anyPart),
        ...Object.fromEntries(
          [
            'thinking',
            'reasoning_content',
            'reasoning_details',
            'tool_calls',
            'tool_name',
            'tool_call_id',
            'more',
          ].map((key) => [key, anyPart]),
        ),
      },
      { requiredKeys: [] },
    );
    const anyBody = fc.record(
      {
        model: fc.oneof(word, anyPart),
        messages: fc.oneof(fc.array(anyMessage, { maxLength: 3 }), anyPart),
        tools: fc.oneof(fc.array(anyPart, { maxLength: 2 }), anyPart),
        tool_choice: anyPart,
        stream: fc.boolean(),
        stream_options: anyPart,
        options: anyPart,
        temperature: anyPart,
      },
      { requiredKeys: ['messages', 'model'], noNullPrototype: true },
    );
    const sampling = { seed: 1, temperature: 1 };
    const { sent } = await send({ model: 'm' }, { messages: [], tools: [], sampling, isStreamed: false });
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const recorded = asJson(body);
        const { model, raw, ...input } = entry.readRequest({ body: recorded, sent });
        const again = await send({ model: model || 'none', raw }, input);
        expect(again.body).toMatchObject(recorded);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
