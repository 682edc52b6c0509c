// A limit that cut a reply of the Responses API without a word of it, and the replies that only look like one.
import { describe, expect, test } from 'vitest';
import { findingsOf, turnOfProtocol } from '../../../support/diagnosis/diagnosis';
import { toMadeTurn } from '../../../support/session/made-turns';

const causesOf = (completionTokens: number, url = 'http://h/v1/responses', limit?: number): unknown[] =>
  findingsOf(
    toMadeTurn(
      {
        content: 'Well.',
        url,
        usage: { completionTokens },
        body: { max_output_tokens: limit, max_tokens: limit },
      },
      [],
    ),
  ).map(({ cause }) => cause);

describe('untoldCutFindings', () => {
  test.each(['llamacpp-responses-max-tokens', 'ollama-responses-max-tokens-stream'])(
    'suspects that %s was cut, which says that it is complete',
    async (name) => {
      const { turn } = await turnOfProtocol(name);
      expect(turn.raw.finishReason).toBe('stop');
      expect(findingsOf(turn).map(({ cause }) => cause)).toContain('untold-cut');
    },
  );

  test('says nothing of a shorter reply, of one without a limit, and of protocols that tell a cut', () => {
    expect(causesOf(20, undefined, 20)).toContain('untold-cut');
    expect(causesOf(19, undefined, 20)).not.toContain('untold-cut');
    expect(causesOf(20)).not.toContain('untold-cut');
    expect(causesOf(20, 'http://h/v1/messages', 20)).not.toContain('untold-cut');
    expect(causesOf(20, 'http://h/v1/chat/completions', 20)).not.toContain('untold-cut');
  });
});
