// What a caller passes may have getters, `toJSON` or a proxy that throw. That is the caller's mistake, named by its place.
import { describe, expect, test } from 'vitest';
import type { ChatOptions, ProviderCredentials, RawAssistant } from '../../../src/library';
import { HostedApiProvider, InvalidOptionsError, LocalHostProvider, Providers } from '../../../src/library';

const THROWN = new Error('the record is gone');
const fail = (): never => {
  throw THROWN;
};
/** The object with a getter that throws. */
const withGetter = (key: string, object: object = {}): object =>
  Object.defineProperty({ ...object }, key, { enumerable: true, get: fail });
const UNWRITABLE = { toJSON: fail };
const CLOSED = new Proxy({}, { get: fail, ownKeys: fail, has: fail, getOwnPropertyDescriptor: fail });

const HI = { role: 'user', content: 'Hi' };
const TOOL = { name: 'f', parameters: { type: 'object', properties: {} } };
const callWith = (args: unknown): object => ({
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'a', name: 'f', arguments: args, source: 'native' }],
});

class CustomProvider extends Providers {
  constructor(credentials: ProviderCredentials) {
    super();
    this.configure(credentials);
  }

  protected chatInternal(): Promise<RawAssistant> {
    return Promise.resolve({ content: 'fine', toolCalls: [], usage: {}, attempts: 0 });
  }
}

const NOWHERE = { host: 'http://127.0.0.1:9', model: 'm', retry: false };
const PROVIDERS: Record<string, (credentials: ProviderCredentials) => Providers> = {
  local: (credentials) => new LocalHostProvider({ ...NOWHERE, ...credentials }),
  hosted: (credentials) => new HostedApiProvider({ ...NOWHERE, auth: 'none', apiKey: '', ...credentials }),
  custom: (credentials) => new CustomProvider(credentials),
};

async function refusalOf(options: unknown, raw?: object, kind = 'hosted'): Promise<unknown> {
  const provider = PROVIDERS[kind]?.({ ...(raw && { raw: raw as Record<string, unknown> }) });
  return provider?.chat(options as ChatOptions).catch((error: unknown) => error);
}

const expectRefusal = (error: unknown, field: string): void => {
  expect(error).toBeInstanceOf(InvalidOptionsError);
  expect(error).toMatchObject({
    code: 'invalid-options',
    field,
    message: expect.stringContaining('the record is gone'),
    ledger: [],
  });
  expect((error as Error).cause).toBe(THROWN);
};

describe('an option that throws when it is read', () => {
  test.each<[field: string, options: object]>([
    ['messages', withGetter('messages')],
    ['tools', withGetter('tools', { messages: [HI] })],
    ['onDelta', withGetter('onDelta', { messages: [HI] })],
    ['signal', withGetter('signal', { messages: [HI] })],
    ['signal', CLOSED],
    ['sampling.temperature', { messages: [HI], sampling: withGetter('temperature') }],
    ['messages[1]', { messages: [HI, withGetter('content', { role: 'user' })] }],
    ['messages[0]', { messages: [withGetter('toolCalls', HI)] }],
    ['messages[0]', { messages: [CLOSED] }],
    ['messages[1]', { messages: [HI, callWith(withGetter('city'))] }],
    ['messages[0]', { messages: [{ role: 'user', content: UNWRITABLE }] }],
    ['tools[0]', { messages: [HI], tools: [withGetter('name')] }],
    ['tools[1]', { messages: [HI], tools: [TOOL, withGetter('parameters', { name: 'g' })] }],
    ['tools[0]', { messages: [HI], tools: [{ ...TOOL, description: UNWRITABLE }] }],
    ['tools[0].parameters', { messages: [HI], tools: [{ ...TOOL, parameters: withGetter('properties') }] }],
  ])('is refused as %s', async (field, options) => {
    for (const kind of ['local', 'hosted']) expectRefusal(await refusalOf(options, undefined, kind), field);
  });

  test.each<[field: string, raw: object]>([
    ['raw', CLOSED],
    ['raw.user', withGetter('user')],
    ['raw.user', { user: UNWRITABLE }],
    ['raw.tool_choice', withGetter('tool_choice')],
    ['raw.options', { options: withGetter('seed') }],
    ['messages[0]', { messages: [UNWRITABLE] }],
  ])('is refused as %s of the connection', async (field, raw) => {
    for (const kind of ['local', 'hosted'])
      expectRefusal(await refusalOf({ messages: [HI], sampling: { seed: 1 } }, raw, kind), field);
  });

  test('is refused before the code of a custom provider runs', async () => {
    expectRefusal(await refusalOf(withGetter('messages'), undefined, 'custom'), 'messages');
    expectRefusal(
      await refusalOf({ messages: [HI], tools: [withGetter('name')] }, undefined, 'custom'),
      'tools[0]',
    );
  });
});
