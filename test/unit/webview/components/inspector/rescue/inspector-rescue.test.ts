import { beforeAll, describe, expect, it } from 'vitest';
import type { ReplyView, RunOutcome } from '../../../../../../src/protocol';
import type { RescueReport } from '../../../../../../src/types';
import { renderRescueTab } from '../../../../../../webview/components/inspector/rescue/inspector-rescue';
import type { Drawn, DrawOptions } from '../../../draw';
import { drawPart, findButton, textOf } from '../../../draw';
import { CALL, laneIn, rejectionAt, rescuedCallAt, toOutcome, toReply, toRun } from '../../../samples';
import { registerOnce } from '../../../register-once';

beforeAll(registerOnce);

const CALL_TEXT = "<tool_call>{'name': 'get_weather', 'arguments': {'city': 'Oslo'}}";
const TEXT = `Let me check.\n${CALL_TEXT}\nAnd {"name": "search_flight"} too.`;
const start = TEXT.indexOf(CALL_TEXT);
const end = start + CALL_TEXT.length;
const call = rescuedCallAt(start, end, {
  rawName: 'functions.get_weather',
  repairs: [
    { kind: 'single-quotes', at: start + 12 },
    { kind: 'single-quotes', at: start + 20 },
    { kind: 'missing-close-tag', at: end },
  ],
  schemaIssues: [{ path: '/city', message: 'is not one of Bergen' }],
});
const rejection = rejectionAt(TEXT.indexOf('{"name"'), TEXT.indexOf(' too.'), {
  nearest: ['search_flights'],
  hint: 'Similar names are never called.',
});
const REPORT: RescueReport = {
  calls: [call],
  content: 'Let me check.\nAnd {"name": "search_flight"} too.',
  rejected: [rejection],
};

function draw(
  reply: ReplyView | undefined,
  selection?: { callIndex?: number; spanNumber?: number },
  options: DrawOptions = {},
  change: Partial<RunOutcome> = {},
): Promise<Drawn> {
  const run = toRun('r1', reply && toOutcome('r1', reply, change));
  return drawPart(
    (playground) => renderRescueTab({ playground, lane: laneIn(playground.state), run, isLive: false }),
    {
      lanes: { a: { entries: [run] } },
      view: { tab: 'rescue', ...(selection && { selection: { ...PLACE, ...selection } }) },
      ...options,
    },
  );
}

const PLACE = { laneId: 'a', runId: 'r1' };
const rows = ({ host }: Drawn): string[] => [...host.querySelectorAll('.spans > li')].map(textOf);
const traced = ({ host }: Drawn): Element[] => [...host.querySelectorAll('.lines > span')];
const withReport = (text: string, calls: ReplyView['toolCalls'], rescue: RescueReport): ReplyView =>
  toReply(text, calls, { rescue });

describe('renderRescueTab', () => {
  it('describes a rescued call, its repairs, and violations of its schema', async () => {
    const part = await draw(withReport(TEXT, [call], REPORT));
    expect(part.text()).toContain('1 call rescued, 1 left as text');
    const [rescued] = rows(part);
    expect(rescued).toMatch(/^1 Rescued: get_weather, hermes-json by its marker/);
    expect(rescued).toContain('Written as functions.get_weather');
    expect(rescued).toContain(`Repaired single quotes at ${start + 13}, ${start + 21}: ool_call>{'name': '`);
    expect(rescued).toContain(`Repaired a missing closing tag at ${end + 1}: `);
    // Each place is quoted, and the damage marked in it.
    expect(part.host.querySelectorAll('.sub .quote .mark')).toHaveLength(3);
    expect(rescued).toContain('/city is not one of Bergen');
    expect(rescued).toContain(`characters ${start + 1} to ${end}`);
  });

  it('opens the text in the format lab', async () => {
    const part = await draw(withReport(TEXT, [call], REPORT));
    findButton(part.host, 'Open in the format lab').click();
    await part.settle();
    expect(part.sent('run/open-lab')).toEqual([PLACE]);
  });

  it('describes a rejected candidate, the reason, and the remaining text', async () => {
    const [, left, kept] = rows(await draw(withReport(TEXT, [call], REPORT)));
    expect(left).toMatch(/^2 Left as text: unknown-tool, hermes-json search_flight was not offered\./);
    expect(left).toContain('Nearest: search_flights.');
    expect(left).toContain('Similar names are never called.');
    expect(kept).toMatch(/^Left as content/);
  });

  it('marks calls and rejections in the text, with their numbers in the list and the repaired characters', async () => {
    const part = await draw(withReport(TEXT, [call], REPORT));
    expect(part.host.querySelector('.lines')?.textContent.replace(/\s/g, '')).toBe(
      TEXT.replace(CALL_TEXT, `1${CALL_TEXT}`).replace('{"name"', '2{"name"').replace(/\s/g, ''),
    );
    const tags = traced(part).filter(({ classList }) => classList.contains('tag'));
    expect(tags.map(({ className }) => className.split(/\s+/).filter(Boolean))).toEqual([
      ['tag', 'is-taken', 'is-gutter'],
      ['tag', 'is-left'],
    ]);
    const points = traced(part).filter(({ className }) => /is-(changed|inserted)/.test(className));
    expect(points.map(({ textContent }) => textContent)).toEqual(["'", "'", '']);
  });

  it('selects from a mark or a row: a rescued call by its index, anything else by its number', async () => {
    const part = await draw(withReport(TEXT, [call], REPORT));
    part.host.querySelector<HTMLElement>('.mark.is-taken')?.click();
    expect(part.playground.state.view.selection).toEqual({ ...PLACE, callIndex: 0 });
    part.host.querySelectorAll<HTMLElement>('.spans .title')[1]?.click();
    expect(part.playground.state.view.selection).toEqual({ ...PLACE, spanNumber: 2 });
  });

  it('highlights the selection in text and list', async () => {
    const part = await draw(withReport(TEXT, [call], REPORT), { spanNumber: 2 });
    expect(part.host.querySelector('.spans [aria-current]')?.textContent).toContain('Left as text');
    const marks = [...part.host.querySelectorAll('.mark.is-selected')];
    expect(marks.map(({ textContent }) => textContent)).toEqual(['{"name": "search_flight"}']);
  });

  it('with rescue off describes what it would find, and reads the reply again with rescue on', async () => {
    const part = await draw(withReport(TEXT, [], REPORT));
    expect(part.text()).toContain('1 call would be rescued, 1 left as text');
    expect(rows(part)[0]).toContain('Would be rescued: get_weather');
    expect(part.sent('reading/make')).toEqual([{ ...PLACE, rescueToolCalls: true, tools: 'offered' }]);
  });

  it('says whether rescue or the tool choice left the calls in the text', async () => {
    const noteWith = async (rescueToolCalls?: boolean): Promise<string> => {
      const part = await draw(withReport(TEXT, [], REPORT), undefined, {}, { rescueToolCalls });
      return textOf(part.host.querySelector('.trace-note'));
    };
    expect(await noteWith(false)).toContain('Rescue is off');
    expect(await noteWith(true)).toContain('The tool choice is none');
    expect(await noteWith()).toContain('Rescue is off');
  });

  it('names the formats of a text without a call', async () => {
    const part = await draw(withReport(TEXT, [], { calls: [], content: TEXT, rejected: [rejection] }));
    expect(part.text()).toContain('no call rescued, 1 left as text');
    expect(part.text()).toContain('The text looks like hermes-json');
    expect(rows(part).at(-1)).toBe('Left as content All of it.');
  });

  it('says why a text was not searched: native calls, or no tools', async () => {
    expect((await draw(toReply('Hm.', [CALL]))).text()).toContain('The server returned 1 native call.');
    expect((await draw(toReply('Hm.'))).text()).toContain('No tools were offered');
    expect((await draw(undefined)).text()).toContain('The text is read when the reply is complete.');
  });

  it('marks closed reasoning, and a call that was rejected inside it', async () => {
    const thought = 'Hm. {"name": "x"} No.';
    const text = `<think>${thought}</think>Hello.`;
    const inside = rejectionAt(11, 24, { reason: 'in-reasoning' });
    const part = await draw(
      withReport(text, [], { calls: [], content: 'Hello.', reasoning: thought, rejected: [inside] }),
    );
    const marks = traced(part).filter(({ classList }) => classList.contains('mark'));
    expect(
      marks.map(({ className, textContent }) => [className.trim().split(/\s+/)[1], textContent]),
    ).toEqual([
      ['is-aside', 'Hm. '],
      ['is-left', '{"name": "x"}'],
      ['is-aside', ' No.'],
    ]);
    expect(rows(part)[1]).toMatch(/^Closed reasoning characters 8 to 28/);
  });

  it('makes hidden characters visible inside and outside of spans, with correct positions', async () => {
    const text = 'a\u202eb {"na\u200bme"} c\u200b';
    const at = rescuedCallAt(4, 13, { repairs: [{ kind: 'single-quotes', at: 8 }] });
    const part = await draw(withReport(text, [at], { calls: [at], content: '', rejected: [] }));
    expect(text.slice(4, 13)).toBe('{"na\u200bme"}');
    const drawn = traced(part).filter(({ classList }) => classList.contains('mark'));
    expect(drawn.map(({ textContent }) => textContent)).toEqual(['{"na', 'U+200B', 'me"}']);
    expect(part.host.querySelector('.lines')?.textContent.replace(/\s/g, '')).toBe(
      'aU+202Eb1{"naU+200Bme"}cU+200B',
    );
    expect(part.host.querySelector('.spans .quote')?.textContent).toBe('{"naU+200Bme"}');
  });

  it('does not mark a joiner at the edge of a span if it joins two characters', async () => {
    const text = 'ab👩\u200d👧cd';
    const at = rescuedCallAt(2, 5);
    const part = await draw(withReport(text, [at], { calls: [at], content: '', rejected: [] }));
    expect(part.host.querySelector('.lines .mark-char')).toBeNull();
  });

  it('says that a span beyond the end of a truncated text is not shown, until all of it is read', async () => {
    const content = 'x'.repeat(20_000);
    const far = rescuedCallAt(20_100, 20_104, { repairs: [{ kind: 'trailing-comma', at: 20_103 }] });
    const part = await draw(
      withReport(content, [far], { calls: [far], content, rejected: [] }),
      { callIndex: 0 },
      { answers: { 'text/read': { text: `${content}${'y'.repeat(100)}call` } } },
      { cut: [{ path: 'reply.raw.content', length: 20_104 }] },
    );
    expect(rows(part)[0]).toContain('Outside the part of the text that the panel has.');
    expect(textOf(part.host.querySelector('.rest'))).toBe('… 104 more characters Show all');
    findButton(part.host, 'Show all').click();
    await part.settle();
    const marks = [...part.host.querySelectorAll('.lines .mark.is-selected')].map(
      ({ textContent }) => textContent,
    );
    expect(marks.join('')).toBe('call');
  });

  it('expands a long text to show a selected span', async () => {
    const content = `${'x'.repeat(30_000)}call`;
    const far = rescuedCallAt(30_000, 30_004);
    const part = await draw(withReport(content, [far], { calls: [far], content: '', rejected: [] }), {
      callIndex: 0,
    });
    expect(part.host.querySelector('.mark.is-selected')?.textContent).toBe('call');
  });

  it.each([
    [200, null],
    [201, 'Only the first 200 spans are marked.'],
  ])('of %i spans, says which are marked in the text', async (count, note) => {
    const rejected = Array.from({ length: count }, (_, index) => rejectionAt(index, index + 1));
    const { host } = await draw(withReport('x'.repeat(500), [], { calls: [], content: '', rejected }));
    expect(host.querySelectorAll('.lines .mark')).toHaveLength(200);
    expect(host.querySelector('pg-rescue-trace .hint')?.textContent ?? null).toBe(note);
  });

  it('counts spans and content that the panel does not have', async () => {
    const text = 'x'.repeat(30_000);
    const content = text.slice(0, 20_000);
    const spans = Array.from({ length: 201 }, (_, index) => rejectionAt(index, index + 1));
    const cut = [
      { path: 'reply.rescue.rejected', length: 2000 },
      { path: 'reply.rescue.content', length: 30_000 },
    ];
    const part = await draw(
      withReport(text, [], { calls: [], content, rejected: spans }),
      undefined,
      {},
      { cut },
    );
    expect(textOf(part.host.querySelector('h3 small'))).toBe('no call rescued, 2 000 left as text');
    expect(rows(part).slice(-2)).toEqual(['… 1 800 more spans', 'Left as content All of it.']);
    const other = await draw(
      withReport(`y${text}`, [], { calls: [], content, rejected: spans }),
      undefined,
      {},
      { cut },
    );
    expect(rows(other).at(-1)).toContain('30 000 characters');
  });
});
