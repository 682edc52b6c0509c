import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { renderPending } from '../../../../webview/components/pending-section';
import type { PlaygroundState } from '../../../../webview/state';
import { readingState, readyState, toRun } from '../samples';

const HOSTILE = '<img src=x onerror="globalThis.stolen = 1">';

function draw(change: Partial<PlaygroundState>): { host: HTMLElement; rows: Record<string, string> } {
  const host = document.createElement('div');
  render(renderPending(readyState(change), toRun('r1')), host);
  const rows = [...host.querySelectorAll('dt')].map(({ textContent, nextElementSibling }) => [
    textContent,
    nextElementSibling?.textContent.trim(),
  ]);
  return { host, rows: Object.fromEntries(rows) as Record<string, string> };
}

describe('renderPending', () => {
  it('shows what has come of the reply, in the words of a RawAssistant', () => {
    const { host, rows } = draw(readingState({ content: 'Let me check.\n<tool_call>', reasoning: 'Hm.' }));
    expect(host.querySelector('h3')?.textContent).toBe('Reading the reply');
    expect(rows).toEqual({
      content: 'Let me check.↵<tool_call>',
      toolCalls: 'none yet',
      reasoning: '3 characters so far',
      usage: 'sent by the server at the end',
      attempts: '1',
    });
  });

  it('counts native calls, those that are left out, too', () => {
    const toolCalls = [
      { name: 'get_weather', arguments: '{' },
      { name: '', arguments: '' },
    ];
    const omitted = { content: 0, reasoning: 0, toolCalls: 3 };
    const { rows } = draw(readingState({ toolCalls, omitted }));
    expect(rows['content']).toBe('none yet');
    expect(rows['toolCalls']).toBe('5 native calls so far: get_weather, (no name yet)');
  });

  it('shows the end of a long text and says how much came before', () => {
    const omitted = { content: 500, reasoning: 0, toolCalls: 0 };
    const { rows } = draw(readingState({ content: `${'a'.repeat(700)}${'b'.repeat(600)}`, omitted }));
    expect(rows['content']).toBe(`… 1\u202f200 characters before${'b'.repeat(600)}`);
  });

  it('has a word for each part that is not there, and nothing of another run', () => {
    const { progress } = readingState({ content: 'of another run' });
    const { host, rows } = draw({ progress: progress && { ...progress, runId: 'r2' } });
    expect(host.textContent).not.toContain('of another run');
    expect(rows).toMatchObject({ content: 'none yet', toolCalls: 'none yet', attempts: '1' });
    expect(draw({}).host.querySelector('h3')?.textContent).toBe('No reply yet');
  });

  it('draws whatever a model writes as text', () => {
    const toolCalls = [{ name: HOSTILE, arguments: HOSTILE }];
    const { host, rows } = draw(readingState({ content: HOSTILE, toolCalls }));
    expect(host.querySelector('img')).toBeNull();
    expect(rows).toMatchObject({ content: HOSTILE, toolCalls: `1 native call so far: ${HOSTILE}` });
  });
});
