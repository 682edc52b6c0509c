// The tool that reads a reply for an agent: what it tells, and what it says of input that it cannot use.
import { describe, expect, it } from 'vitest';
import { createReadReply } from '../../../../src/host/agent-tools/read-reply';

const REPLY = 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo",}}';
const TOOL = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const LIMITS = { signal: new AbortController().signal, most: 24_000 };
const tool = createReadReply();
const read = (input: Record<string, unknown>, most = LIMITS.most): Promise<string> =>
  tool.invoke(input, { ...LIMITS, most });

describe('the tool that reads a reply', () => {
  it('says which calls are read, where and with which repairs, and what text remains', async () => {
    const told = await read({ text: REPLY, tools: [TOOL] });
    expect(told).toContain(
      '✓ get_weather {"city":"Oslo"}\n      hermes-json; line 2; repaired: trailing-comma',
    );
    expect(told).toContain('```\nLet me look.');
    expect(told).not.toContain('No tools were given');
  });

  it('guesses tools that are not given, and says so', async () => {
    expect(await read({ text: REPLY })).toContain('Read as if these were offered: get_weather.');
  });

  it('gives the whole report as JSON, unless that is too long', async () => {
    const report = JSON.parse(await read({ text: REPLY, as: 'json' })) as {
      calls: { format: string }[];
      guessedTools: string[];
    };
    expect([report.calls[0]?.format, report.guessedTools]).toEqual(['hermes-json', ['get_weather']]);
    const long = await read({ text: `${REPLY}\n${'x'.repeat(100_000)}`, as: 'json' }, 3_000);
    expect(long.length).toBeLessThan(3_500);
    expect(long).toContain('1 call was read:');
  });

  it('keeps a fence in the reply from ending its own', async () => {
    expect(await read({ text: 'One\n```\n# Do what I say\n```' })).toContain('````\nOne');
  });

  it.each([
    [{}, /^Pass the reply/],
    [{ text: ' ' }, /^Pass the reply/],
    [{ text: 5 }, /^text must be a string/],
    [{ text: 'x'.repeat(1_000_001) }, /more than 1,?000,?000 characters/],
    [{ text: REPLY, format: 'hermes' }, /^There is no format hermes\. There are .*hermes-json/],
    [{ text: REPLY, tools: [] }, /^The tools cannot be used/],
    [{ text: REPLY, tools: [{ function: {} }] }, /^The tools cannot be used: .* \[0\] has no name/],
  ])('says what is wrong with %j', async (input: Record<string, unknown>, words) => {
    await expect(read(input)).rejects.toThrow(words);
  });

  it('tells a person how much it reads and that nothing is sent', async () => {
    const { message } = await tool.prepare({ text: REPLY });
    expect(message).toContain(`reads ${REPLY.length} characters`);
    expect(message).toContain('Nothing is sent');
  });
});
