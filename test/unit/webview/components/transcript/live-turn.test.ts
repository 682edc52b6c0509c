import { render } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LiveReplyView } from '../../../../../src/protocol';
import { renderLiveReply, showLiveTexts } from '../../../../../webview/components/transcript/live-turn';
import { applyProgress } from '../../../../../webview/state/session-state';
import { findCallOpener } from '../../../../../webview/text/call-opener';
import { drawPart, textOf } from '../../draw';
import type { Drawn } from '../../draw';
import { HOSTILE, toLiveReply, toProgress, toRun, toRunState } from '../../samples';
import { html } from 'lit';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

function draw(
  fields: Partial<LiveReplyView>,
  host: HTMLElement = document.createElement('div'),
): HTMLElement {
  const reply = toLiveReply(fields);
  const opener = findCallOpener(reply.content);
  render(renderLiveReply(reply, opener < 0 ? undefined : opener), host);
  document.body.replaceChildren(host);
  showLiveTexts(host, reply, opener < 0 ? undefined : opener);
  return host;
}

const textsOf = (host: HTMLElement): string[] =>
  [...host.querySelectorAll('.live pg-growing-text')].map(({ textContent }) => textContent);

describe('renderLiveReply', () => {
  it('shows prose with its line breaks', () => {
    expect(textsOf(draw({ content: 'It is\n\n cold' }))).toEqual(['It is\n\n cold']);
  });

  it('separates a partial call from the prose before it', () => {
    const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Os';
    const host = draw({ content: `Let me check.\n${call}` });
    expect(textsOf(host)).toEqual(['Let me check.\n', call]);
    const [prose, code] = host.querySelectorAll('.live');
    expect(prose?.matches('.mono')).toBe(false);
    expect(code?.matches('.mono')).toBe(true);
  });

  it('shows native calls as far as they have arrived', () => {
    const toolCalls = [
      { name: 'get_weather', arguments: '{"city":"Oslo"}' },
      { name: '', arguments: '' },
    ];
    const lines = [...draw({ content: 'Both.', toolCalls }).querySelectorAll('.live')].map(textOf);
    expect(lines).toEqual(['Both.', 'get_weather {"city":"Oslo"}', '(no name yet)']);
  });

  it('collapses the reasoning and shows its length; it stays open once opened', () => {
    const host = draw({ reasoning: 'Hm. ' });
    const fold = host.querySelector('details');
    expect(fold?.open).toBe(false);
    expect(textOf(fold?.querySelector('summary'))).toBe('Reasoning, 4 characters');
    fold?.setAttribute('open', '');
    draw({ reasoning: 'Hm. So', omitted: { content: 0, reasoning: 9_000, toolCalls: 0 } }, host);
    expect(host.querySelector('details')).toBe(fold);
    expect(fold?.open).toBe(true);
    expect(textOf(fold?.querySelector('summary'))).toBe('Reasoning, 9 006 characters');
  });

  it('says how much it omits', () => {
    const toolCalls = [{ name: 'a', arguments: '' }];
    const host = draw({ content: 'x', toolCalls, omitted: { content: 1234, reasoning: 0, toolCalls: 3 } });
    expect(host.querySelector('.rest')?.textContent).toBe('… 1\u202f234 characters before');
    expect(textOf(host.querySelector('p:last-of-type'))).toBe('… 3 more calls');
  });

  it('makes hidden characters visible as they arrive', () => {
    const toolCalls = [{ name: 'a\u200b', arguments: '{"b\u2066' }];
    const host = draw({ content: 'pay \u202eevil', toolCalls });
    expect(textsOf(host)).toEqual(['pay U+202Eevil', '{"bU+2066']);
    expect(host.querySelector('b')?.textContent).toBe('aU+200B');
  });

  it('shows texts of a model as text', () => {
    const toolCalls = [{ name: HOSTILE, arguments: HOSTILE }];
    for (const content of [HOSTILE, `${HOSTILE}<tool_call>${HOSTILE}`]) {
      const host = draw({ content, reasoning: HOSTILE, toolCalls });
      expect(host.querySelector('img')).toBeNull();
      expect([...host.querySelectorAll('b')].map(({ textContent }) => textContent)).toEqual([HOSTILE]);
      expect(textsOf(host).at(-1)).toBe(HOSTILE);
    }
  });
});

describe('LiveTurn', () => {
  const open = (): Promise<Drawn> =>
    drawPart(
      (playground) =>
        html`<pg-live-turn .playground=${playground} .laneId=${'a'} .runId=${'r1'}></pg-live-turn>`,
      { lanes: { a: { entries: [toRun('r1')], run: toRunState('r1') } } },
    );
  const showProgress = async (
    { playground, settle }: Drawn,
    change: Parameters<typeof toProgress>[1],
  ): Promise<void> => {
    playground.update((state) => ({
      ...state,
      session: applyProgress(state.session, 'a', toProgress('r1', change)),
    }));
    await settle();
  };

  it('says what it waits for, then shows what has arrived', async () => {
    const drawn = await open();
    expect(drawn.text()).toContain('The server has the request and has not answered yet.');
    expect(drawn.text()).toContain('There is no time limit; Stop ends it.');
    await showProgress(drawn, { reply: toLiveReply({ content: 'Let me look.' }) });
    expect(drawn.text()).toBe('Let me look.');
  });

  it('appends to the existing text', async () => {
    const drawn = await open();
    await showProgress(drawn, { reply: toLiveReply({ content: 'Let me' }) });
    const node = drawn.host.querySelector('.pre')?.firstChild;
    await showProgress(drawn, { reply: toLiveReply({ content: 'Let me look.' }) });
    expect(drawn.host.querySelector('.pre')?.firstChild).toBe(node);
    expect(node?.textContent).toBe('Let me look.');
  });

  it('keeps a call separate after its beginning has left the window', async () => {
    const drawn = await open();
    await showProgress(drawn, { reply: toLiveReply({ content: 'So\n<tool_call>{"x":' }) });
    const omitted = { content: 14, reasoning: 0, toolCalls: 0 };
    await showProgress(drawn, { reply: toLiveReply({ content: '{"x": 1, "y":', omitted }) });
    expect(drawn.host.querySelector('.live.mono')?.textContent.trim()).toBe('{"x": 1, "y":');
  });

  it('says that the last attempt failed while it waits for the next', async () => {
    const drawn = await open();
    await showProgress(drawn, { phase: 'waiting-to-retry', ledger: [] });
    expect(drawn.text()).toBe('The last attempt failed; the next one follows.');
  });
});
