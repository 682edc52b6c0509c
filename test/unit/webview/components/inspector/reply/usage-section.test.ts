import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { renderUsage } from '../../../../../../webview/components/inspector/reply/usage-section';
import { textOf } from '../../../draw';

const RATED = 'rates';

function draw(...usage: Parameters<typeof renderUsage>): string {
  const host = document.createElement('div');
  render(renderUsage(...usage), host);
  return textOf(host);
}

describe('renderUsage', () => {
  it('separates the cached part of the prompt', () => {
    const usage = { promptTokens: 384, cachedTokens: 128, completionTokens: 71, costUsd: 0.0012 };
    expect(draw(usage, RATED)).toContain(
      '128 prompt, from the cache 256 prompt, not from the cache 71 completion 455 in all',
    );
    expect(draw(usage, RATED)).toContain('$0.0012');
    expect(draw({ promptTokens: 4, cachedTokens: 0 }, RATED)).toContain('0 of the prompt');
  });

  it('shows the speeds and their source', () => {
    const rates = {
      promptPerSecond: 42_900,
      completionPerSecond: 5.77,
      loadMs: 2_100,
      source: 'server' as const,
    };
    const text = draw({ promptTokens: 4 }, RATED, rates);
    expect(text).toContain('prompt speed 42 900 tokens per second by the clock of the server');
    expect(text).toContain('reply speed 5.77 tokens per second');
    expect(text).toContain('loading 2.1 s until the model was ready');
    const measured = draw({}, RATED, { completionPerSecond: 20, source: 'measured' });
    expect(measured).toContain('20 tokens per second measured from arrival times');
    expect(measured).not.toContain('prompt speed');
  });

  it('shows no missing values, and distinguishes missing rates from missing usage', () => {
    expect(draw({}, 'unknown')).toContain('The reply has no token counts.');
    expect(draw({}, 'unknown')).toContain('not set: this connection has no rates');
    expect(draw({}, 'free')).toContain('none: the demo and servers of your own cost nothing');
    expect(draw({}, RATED)).toContain('no usage: the reply has no token counts');
    expect(draw({}, 'quota')).toContain('not told: VS Code says nothing of what its models cost');
  });
});
