import { describe, expect, test } from 'vitest';
import { cutToContext, renderRead } from '../../../../src/demo/model/cut-to-context';
import { countTokens, renderPrompt } from '../../../../src/demo/model/tokens';
import { NO_TOOL_ANSWER, OSLO_CALL, useOslo } from '../oslo';

const toRequest = (numCtx?: number) => ({
  protocol: 'local' as const,
  model: 'm',
  messages: [
    { role: 'system' as const, content: 'Answer in one sentence.' },
    { role: 'user' as const, content: 'What is the weather in Oslo?' },
  ],
  tools: [{ name: 'get_weather', parameters: { type: 'object' } }],
  sampling: { numCtx },
});

describe('cutToContext', () => {
  test('keeps a prompt that fits, or one without a context size', () => {
    for (const numCtx of [undefined, 0, 4_096])
      expect(cutToContext(toRequest(numCtx))).toEqual(toRequest(numCtx));
  });

  test('removes the tools and all messages but the last from a prompt that does not fit', () => {
    const { tools, messages } = cutToContext(toRequest(20));
    expect(tools).toEqual([]);
    expect(messages.map(({ role }) => role)).toEqual(['user']);
  });

  test('counts at most as many tokens as the context has', () => {
    expect(countTokens(renderRead(toRequest(20)))).toBe(20);
    expect(renderRead(toRequest())).toBe(renderPrompt(toRequest()));
  });

  const ask = useOslo();
  test('hides the tools from a model whose context is too small for the prompt', async () => {
    const more = { options: { num_ctx: 32 } };
    const small = { model: 'native-call', protocol: 'local' as const, more };
    expect(await ask(small)).toMatchObject({ status: 200, content: NO_TOOL_ANSWER, calls: [] });
    const large = { ...small, more: { options: { num_ctx: 4_096 } } };
    expect((await ask(large)).calls).toEqual([OSLO_CALL]);
  });
});
