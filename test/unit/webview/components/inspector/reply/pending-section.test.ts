import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import type { LiveReplyView, RunProgress } from '../../../../../../src/protocol';
import { renderPending } from '../../../../../../webview/components/inspector/reply/pending-section';
import { HOSTILE, laneIn, toLiveReply, toPanel, toProgress, toRun, toRunState } from '../../../samples';

function draw(progress?: RunProgress): { host: HTMLElement; rows: Record<string, string> } {
  const host = document.createElement('div');
  const run = toRun('r1');
  const lane = laneIn(
    toPanel({ a: { entries: [run], run: toRunState('r1'), ...(progress && { progress }) } }),
  );
  render(renderPending({ lane, run }), host);
  const rows = [...host.querySelectorAll('dt')].map(({ textContent, nextElementSibling }) => [
    textContent,
    nextElementSibling?.textContent.trim(),
  ]);
  return { host, rows: Object.fromEntries(rows) as Record<string, string> };
}
const reading = (fields: Partial<LiveReplyView>): RunProgress =>
  toProgress('r1', { reply: toLiveReply(fields) });

describe('renderPending', () => {
  it('shows the partial reply with the field names of RawAssistant', () => {
    const { host, rows } = draw(reading({ content: 'Let me check.\n<tool_call>', reasoning: 'Hm.' }));
    expect(host.querySelector('h3')?.textContent).toBe('Reading the reply');
    expect(rows).toEqual({
      content: 'Let me check.↵<tool_call>',
      toolCalls: 'none yet',
      reasoning: '3 characters so far',
      usage: 'sent by the server at the end',
      attempts: '1',
    });
  });

  it('counts native calls, including omitted ones', () => {
    const toolCalls = [
      { name: 'get_weather', arguments: '{' },
      { name: '', arguments: '' },
    ];
    const omitted = { content: 0, reasoning: 0, toolCalls: 3 };
    const { rows } = draw(reading({ toolCalls, omitted }));
    expect(rows['content']).toBe('none yet');
    expect(rows['toolCalls']).toBe('5 native calls so far: get_weather, (no name yet)');
  });

  it('shows the end of a long text, and the length of the rest', () => {
    const omitted = { content: 500, reasoning: 0, toolCalls: 0 };
    const { rows } = draw(reading({ content: `${'a'.repeat(700)}${'b'.repeat(600)}`, omitted }));
    expect(rows['content']).toBe(`… 1\u202f200 characters before${'b'.repeat(600)}`);
  });

  it('makes hidden characters visible, and splits none', () => {
    const toolCalls = [{ name: 'a\u200b', arguments: '' }];
    const { rows } = draw(reading({ content: `😀${'b'.repeat(598)}\u202e`, toolCalls }));
    expect(rows['content']).toBe(`😀${'b'.repeat(598)}U+202E`);
    expect(rows['toolCalls']).toBe('1 native call so far: aU+200B');
  });

  it('says which parts have not arrived', () => {
    const { host, rows } = draw();
    expect(host.querySelector('h3')?.textContent).toBe('No reply yet');
    expect(rows).toMatchObject({ content: 'none yet', toolCalls: 'none yet', attempts: '1' });
  });

  it('shows texts of a model as text', () => {
    const toolCalls = [{ name: HOSTILE, arguments: HOSTILE }];
    const { host, rows } = draw(reading({ content: HOSTILE, toolCalls }));
    expect(host.querySelector('img')).toBeNull();
    expect(rows).toMatchObject({ content: HOSTILE, toolCalls: `1 native call so far: ${HOSTILE}` });
  });
});
