import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { renderUsage } from '../../../../../webview/components/inspector/usage-section';
import { textOf } from '../../draw';

function draw(...usage: Parameters<typeof renderUsage>): string {
  const host = document.createElement('div');
  render(renderUsage(...usage), host);
  return textOf(host);
}

describe('renderUsage', () => {
  it('tells the cached part of the prompt from the part that was read anew', () => {
    const usage = { promptTokens: 384, cachedTokens: 128, completionTokens: 71, costUsd: 0.0012 };
    expect(draw(usage, true)).toContain(
      '128 prompt, from the cache 256 prompt, read anew 71 completion 455 in all',
    );
    expect(draw(usage, true)).toContain('$0.0012');
    expect(draw({ promptTokens: 4, cachedTokens: 0 }, true)).toContain('0 of the prompt');
  });

  it('makes up nothing, and tells rates that are not set from usage that is missing', () => {
    expect(draw({}, false)).toContain('The server sent no token counts.');
    expect(draw({}, false)).toContain('not set: this connection has no rates');
    expect(draw({}, true)).toContain('no usage: the server sent no token counts');
  });
});
