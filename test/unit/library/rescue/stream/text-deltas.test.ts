import { describe, expect, it } from 'vitest';
import { Providers, rescueToolCalls } from '../../../../../src/library/index';
import type { ChatDelta, ProviderCredentials, RawAssistant } from '../../../../../src/library/index';
import { TextDeltas } from '../../../../../src/library/rescue/stream/text-deltas';
import { WEATHER } from '../rescue-fixtures';

const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const REPLY = `I look. ${CALL}\nThen I write {x}.`;
const PIECES = REPLY.match(/[^]{1,7}/g) ?? [];

/** A provider that streams the pieces and returns them as the reply. */
class Streamer extends Providers {
  readonly #reply: Partial<RawAssistant>;

  constructor(reply: Partial<RawAssistant> = {}, credentials: Partial<ProviderCredentials> = {}) {
    super();
    this.#reply = reply;
    this.configure({ modelName: 'm', ...credentials } as ProviderCredentials);
  }

  protected chatInternal(): Promise<RawAssistant> {
    for (const content of PIECES) this.emitDelta({ content });
    return Promise.resolve({ content: REPLY, toolCalls: [], usage: {}, attempts: 1, ...this.#reply });
  }
}

async function follow(provider: Providers, read: (delta: ChatDelta) => unknown): Promise<unknown[]> {
  const seen: unknown[] = [];
  const onDelta = (delta: ChatDelta): void => void seen.push(read(delta));
  await provider.chat({ tools: WEATHER, messages: [{ role: 'user', content: 'x' }], onDelta });
  return seen;
}

const toText = ({ text = '' }: ChatDelta): string => text;
const toContent = ({ content = '' }: ChatDelta): string => content;

describe('TextDeltas', () => {
  it('adds the text without the calls to the deltas, and at the end what was held back', async () => {
    expect((await follow(new Streamer(), toText)).join('')).toBe(REPLY.replace(CALL, ''));
    expect((await follow(new Streamer(), toContent)).join('')).toBe(REPLY);
  });

  it('emits all text when calls are not rescued', async () => {
    expect(await follow(new Streamer({}, { rescueToolCalls: false }), toText)).toEqual(PIECES);
    expect(await follow(new Streamer({}, { raw: { tool_choice: 'none' } }), toText)).toEqual(PIECES);
  });

  it('keeps a call in the text when there is a native one', async () => {
    const toolCalls = [{ id: '1', name: 'get_weather', arguments: {}, source: 'native' as const }];
    expect((await follow(new Streamer({ toolCalls }), toText)).join('')).toBe(REPLY);
  });

  it('uses the streamed text when the reply differs from it', async () => {
    const texts = await follow(new Streamer({ content: 'Something else.' }), toText);
    expect(texts.join('')).toBe(REPLY.replace(CALL, ''));
  });

  it('does not scan while nobody reads the text; copying a delta does not read it', async () => {
    const seen = await follow(new Streamer(), (delta) => ({ ...delta }));
    expect(seen).toEqual(PIECES.map((content) => ({ content })));
  });

  it('returns the text of each delta, whenever and in whatever order it is read', () => {
    const seen: ChatDelta[] = [];
    const deltas = new TextDeltas(WEATHER, (delta) => void seen.push(delta));
    for (const content of ['One ', 'two ', 'three ']) deltas.add({ content });
    deltas.add({ reasoning: 'hm' });
    expect(seen[1]?.text).toBe('two ');
    expect(seen.map(({ text }) => text)).toEqual(['One ', 'two ', 'three ', undefined]);
  });

  it('passes the report of the reply to the scanner, which does not parse again', () => {
    const deltas = new TextDeltas(WEATHER, (delta) => delta.text);
    for (const content of PIECES) deltas.add({ content });
    const rescue = { ...rescueToolCalls(REPLY, WEATHER), calls: [] };
    const raw = { content: REPLY, toolCalls: [], usage: {}, attempts: 1 };
    // the report knows no call, so the call that was held back is text
    expect(deltas.finish({ raw, rescue })).toContain(CALL);
  });
});
