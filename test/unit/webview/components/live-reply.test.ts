import { render } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderLiveReply } from '../../../../webview/components/live-reply';
import { registerElements } from '../../../../webview/elements';
import type { LiveReply } from '../../../../webview/state';
import { toLiveReply } from '../samples';

const HOSTILE = '<img src=x onerror="globalThis.stolen = 1"><b>bold</b>';

beforeAll(() => registerElements());

function draw(fields: Partial<LiveReply>, host: HTMLElement = document.createElement('div')): HTMLElement {
  render(renderLiveReply(toLiveReply(fields)), host);
  return host;
}

const textsOf = (host: HTMLElement): string[] =>
  [...host.querySelectorAll('.pre')].map(({ textContent }) => textContent);

describe('renderLiveReply', () => {
  it('shows prose with its line ends and one caret right after it', () => {
    const host = draw({ content: 'It is\n\n cold' });
    expect(textsOf(host)).toEqual(['It is\n\n cold']);
    expect(host.querySelectorAll('.caret')).toHaveLength(1);
    expect(host.querySelector('.pre')?.nextElementSibling?.className).toBe('caret');
  });

  it('sets a call that is being written apart from the prose before it', () => {
    const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Os';
    const host = draw({ content: `Let me check.\n${call}` });
    expect(textsOf(host)).toEqual(['Let me check.', call]);
    const [prose, code] = host.querySelectorAll('.live');
    expect(prose?.matches('.mono')).toBe(false);
    expect(code?.matches('.mono')).toBe(true);
    expect(code?.querySelector('.caret')).not.toBeNull();
  });

  it('shows native calls as far as they are written', () => {
    const toolCalls = [
      { name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { name: '', arguments: '' },
    ];
    const host = draw({ content: 'Both.', toolCalls });
    const lines = [...host.querySelectorAll('.live')].map(({ textContent }) => textContent.trim());
    expect(lines).toEqual(['Both.', 'get_weather {"city":"Oslo"}', '(no name yet)']);
    expect(host.querySelectorAll('.caret')).toHaveLength(1);
    expect(host.querySelector('.live:last-of-type .caret')).not.toBeNull();
  });

  it('folds the reasoning, and counts it while it grows; a fold that was opened stays open', () => {
    const host = draw({ reasoning: 'Hm. ' });
    const fold = host.querySelector('details');
    expect(fold?.open).toBe(false);
    expect(fold?.querySelector('summary')?.textContent.trim()).toBe('Reasoning, 4 characters');
    expect(host.querySelectorAll('.caret')).toHaveLength(1);
    fold?.setAttribute('open', '');
    draw({ reasoning: 'Hm. So', omitted: { content: 0, reasoning: 9_000, toolCalls: 0 } }, host);
    expect(host.querySelector('details')).toBe(fold);
    expect(fold?.open).toBe(true);
    expect(fold?.querySelector('summary')?.textContent.trim()).toBe('Reasoning, 9\u202f006 characters');
  });

  it('says how much it leaves out', () => {
    const toolCalls = [{ name: 'a', arguments: '' }];
    const host = draw({ content: 'x', toolCalls, omitted: { content: 1234, reasoning: 0, toolCalls: 3 } });
    expect(host.querySelector('.rest')?.textContent).toBe('… 1\u202f234 characters before');
    expect(host.querySelector('p:last-of-type')?.textContent.trim()).toBe('… 3 more calls');
    expect(host.querySelectorAll('.caret')).toHaveLength(1);
  });

  it('draws whatever a model writes as text', () => {
    const toolCalls = [{ name: HOSTILE, arguments: HOSTILE }];
    for (const content of [HOSTILE, `${HOSTILE}<tool_call>${HOSTILE}`]) {
      const host = draw({ content, reasoning: HOSTILE, toolCalls });
      expect(host.querySelector('img')).toBeNull();
      expect([...host.querySelectorAll('b')].map(({ textContent }) => textContent)).toEqual([HOSTILE]);
      expect(textsOf(host).at(-1)).toBe(HOSTILE);
    }
  });
});
