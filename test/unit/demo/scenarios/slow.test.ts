import { describe, expect, test } from 'vitest';
import { SCENARIOS } from '../../../../src/demo/scenarios';
import { slow } from '../../../../src/demo/scenarios/slow';

describe('slow', () => {
  const tools = [{ name: 'now', parameters: {} }];
  const request = { protocol: 'local', messages: [], tools, sampling: {}, attempt: 3 } as const;

  test('waits half a minute, then makes a native call', () => {
    expect(slow.reply({ ...request, model: 'slow' })).toMatchObject({
      delayMs: 30_000,
      content: '',
      toolCalls: [{ name: 'now', argumentsText: '{}' }],
    });
  });

  test('is the only model that delays its answers', () => {
    const waiting = SCENARIOS.filter(
      ({ name, reply }) => (reply({ ...request, model: name }).delayMs ?? 0) > 0,
    );
    expect(waiting).toEqual([slow]);
  });
});
