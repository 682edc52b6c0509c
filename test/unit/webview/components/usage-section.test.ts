import { describe, expect, it } from 'vitest';
import { renderUsage } from '../../../../webview/components/usage-section';
import { drawPart } from './draw-part';

describe('renderUsage', () => {
  it('says which part of the prompt came from the cache', () => {
    const usage = { promptTokens: 400, cachedTokens: 128, completionTokens: 20 };
    const { text } = drawPart({}, () => renderUsage(usage));
    expect(text).toContain('128 prompt, from the cache 272 prompt, read anew 20 completion 420 in all');
  });

  it('says prompt alone where nothing was cached', () => {
    expect(drawPart({}, () => renderUsage({ promptTokens: 400 })).text).toContain('400 prompt');
    expect(drawPart({}, () => renderUsage({ promptTokens: 400 })).text).not.toContain('prompt,');
  });
});
