// Findings about the prompt, from recordings of real servers.
import { describe, expect, test } from 'vitest';
import type { ChatTurn, ToolType } from '../../../../src/types';
import { failureFindings, findingsOf } from '../../../support/diagnosis/diagnosis';
import type { RecordedExchange } from '../../../support/messages/recorded';
import { readRecorded } from '../../../support/messages/recorded';
import { makeTurn, WEATHER } from '../../../support/session/turns';

const HOSTED = 'http://h/v1/chat/completions';
const LOCAL = 'http://h/api/chat';

const findings = (turn: ChatTurn, tools: ToolType[] = []) => findingsOf(turn, { tools });

/** A turn with the request and response of a recording. */
function recordedTurn({ request, response }: RecordedExchange): ChatTurn {
  const reply = JSON.parse(response.body) as {
    prompt_eval_count?: number;
    usage?: { prompt_tokens: number; completion_tokens: number };
  };
  return sent(request.path, request.body, {
    promptTokens: reply.prompt_eval_count ?? reply.usage?.prompt_tokens,
    response: response.body,
  });
}

function sent(
  path: string,
  body: unknown,
  more: { promptTokens?: number | undefined; completionTokens?: number; response?: string } = {},
): ChatTurn {
  const turn = makeTurn({});
  const { response = '', ...usage } = more;
  turn.raw = { ...turn.raw, usage };
  turn.exchange.request = {
    method: 'POST',
    url: new URL(path, 'http://h').href,
    headers: {},
    body: JSON.stringify(body),
  };
  turn.exchange.response = { status: 200, headers: {}, body: response };
  return turn;
}

const ask = (length: number): object[] => [{ role: 'user', content: 'word '.repeat(length / 5) }];

describe('a prompt', () => {
  test('of which a server read only a small part is reported as probably truncated', () => {
    const [finding, ...others] = findings(recordedTurn(readRecorded('ollama-go-overflow')));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'warning',
      what: expect.stringMatching(/^The server read 1026 tokens of a prompt of 20000 characters/),
      next: 'Raise Context size, or send less.',
      tab: 'wire',
    });
  });

  test('that Ollama truncated on /v1 names the API that takes a context size', () => {
    const [finding] = findings(recordedTurn(readRecorded('ollama-go-v1-overflow')));
    expect(finding?.next).toContain('`/v1` side of Ollama');
  });

  test.each(['ollama-chat-tools', 'llamacpp-chat-tools', 'ollama-v1-chat-tools'])(
    'that was read completely has no finding: %s',
    (name) => {
      expect(findings(recordedTurn(readRecorded(name)))).toEqual([]);
    },
  );

  test('of ordinary density is never reported as truncated, whatever its length', () => {
    for (const length of [9_000, 100_000]) {
      const usual = sent(LOCAL, { messages: ask(length) }, { promptTokens: length / 5 });
      expect(findings(usual)).toEqual([]);
    }
    // Images do not count as text.
    const picture = { type: 'image_url', image_url: { url: `data:${'x'.repeat(90_000)}` } };
    const parts = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, picture] }];
    expect(findings(sent(HOSTED, { messages: parts }, { promptTokens: 90 }))).toEqual([]);
    // Without token counts nothing can be concluded.
    expect(findings(sent(LOCAL, { messages: ask(50_000) }))).toEqual([]);
  });

  test('that fills the context is reported with both numbers', () => {
    const options = { num_ctx: 4096 };
    const full = sent(LOCAL, { messages: ask(100), options }, { promptTokens: 4090 });
    expect(findings(full)[0]?.what).toContain('4090 of 4096 tokens');
    const both = sent(LOCAL, { messages: ask(100), options }, { promptTokens: 3900, completionTokens: 196 });
    expect(findings(both)[0]?.what).toBe('Prompt and reply fill the context: 3900 and 196 of 4096 tokens.');
    const fits = sent(LOCAL, { messages: ask(100), options }, { promptTokens: 3000, completionTokens: 96 });
    expect(findings(fits)).toEqual([]);
  });
});

describe('tools', () => {
  test('that were not sent are reported with the reason', () => {
    const turn = sent(HOSTED, { messages: ask(10), tools: [] });
    expect(findings(turn, [WEATHER])[0]).toMatchObject({
      severity: 'error',
      what: 'Tools are offered, but none was sent: the request has no `tools`.',
    });
    turn.exchange.overridden = ['tools'];
    const found = findings(turn, [WEATHER]).find(({ severity }) => severity === 'error');
    expect(found).toMatchObject({
      what: expect.stringContaining('`raw` replaces them'),
      next: 'Remove `tools` from `raw`.',
    });
  });

  test('that were sent are not reported as missing, nor are tools in the protocol of a custom provider', () => {
    const went = findings(sent(LOCAL, { messages: ask(10), tools: [{}] }), [WEATHER]);
    expect(went.map(({ cause }) => cause)).toEqual(['no-call']);
    expect(findings(sent('/talk', { messages: ask(10) }), [WEATHER])).toEqual([]);
  });
});

describe('a failure', () => {
  test.each(['ollama-chat-tools-unsupported', 'ollama-v1-chat-tools-unsupported'])(
    'of a model that takes no tools says so: %s',
    (name) => {
      expect(failureFindings(readRecorded(name).response.body)).toMatchObject([
        { severity: 'error', what: expect.stringMatching(/^This model does not support tools/) },
      ]);
    },
  );

  test.each(['ollama-chat-overflow', 'ollama-v1-chat-overflow', 'llamacpp-chat-overflow'])(
    'for a prompt that is too long names both numbers: %s',
    (name) => {
      expect(failureFindings(readRecorded(name).response.body)[0]?.what).toBe(
        'The prompt has 20010 tokens, and the context has room for 2048.',
      );
    },
  );

  test('of any other kind has no finding', () => {
    expect(failureFindings(readRecorded('ollama-queue-full').response.body)).toEqual([]);
  });
});
