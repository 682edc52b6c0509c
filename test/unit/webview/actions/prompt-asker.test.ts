import { describe, expect, it } from 'vitest';
import { RequestError } from '../../../../src/protocol';
import type { PromptPlace, PromptView } from '../../../../src/protocol';
import { PromptAsker } from '../../../../webview/actions/prompt-asker';
import type { PromptPort } from '../../../../webview/actions/prompt-asker';
import { openPlayground } from '../draw';

const VIEW = { head: 'x', tail: '', length: 1, specialTokens: [], isFromTokenizer: true, missingTools: [] };

function open() {
  const asked: { place: PromptPlace; signal: AbortSignal; settle: (view?: PromptView) => void }[] = [];
  const port: PromptPort = openPlayground().playground;
  const error = new RequestError({ code: 'http', title: '', what: 'refused', why: '', next: '' });
  const asker = new PromptAsker(
    port,
    (place, signal) =>
      new Promise((resolve, reject) =>
        asked.push({ place, signal, settle: (view) => (view ? resolve(view) : reject(error)) }),
      ),
  );
  return { asker, asked, prompt: () => port.state.prompt };
}

describe('PromptAsker', () => {
  it('keeps the answer, or the error with its words', async () => {
    const { asker, asked, prompt } = open();
    const first = asker.ask({ laneId: 'a' });
    expect(prompt()).toEqual({ place: { laneId: 'a' } });
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.settle(VIEW);
    await first;
    expect(prompt()).toEqual({ place: { laneId: 'a' }, view: VIEW });
    const second = asker.ask({ laneId: 'b' });
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.settle();
    await second;
    expect(prompt()?.error?.what).toBe('refused');
  });

  it('cancels the request when another one is made, or on demand, and ignores its late answer', async () => {
    const { asker, asked, prompt } = open();
    const first = asker.ask({ laneId: 'a' });
    await expect.poll(() => asked.length).toBe(1);
    const second = asker.ask({ laneId: 'b' });
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[0]?.settle(VIEW);
    await first;
    expect(prompt()).toEqual({ place: { laneId: 'b' } });
    await expect.poll(() => asked.length).toBe(2);
    asker.cancel();
    expect([asked[1]?.signal.aborted, prompt()]).toEqual([true, undefined]);
    asked[1]?.settle();
    await second;
    expect(prompt()).toBeUndefined();
  });
});
