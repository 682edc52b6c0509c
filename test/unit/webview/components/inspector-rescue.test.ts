import { beforeAll, describe, expect, it } from 'vitest';
import type { ChatTurn, RescueReport } from '../../../../src/types';
import { renderRescueTab } from '../../../../webview/components/inspector-rescue';
import type { RescueTrace } from '../../../../webview/components/rescue-trace';
import { loadLaterParts } from '../../../../webview/later';
import type { PlaygroundState } from '../../../../webview/state';
import { CALL, rejectionAt, rescuedCallAt, toOutcome, toRun, toTurn } from '../samples';
import type { DrawnPart } from './draw-part';
import { drawPart } from './draw-part';

beforeAll(() => loadLaterParts());

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

async function draw(turn: ChatTurn | undefined, change: Partial<PlaygroundState> = {}): Promise<DrawnPart> {
  const run = toRun('r1', turn && toOutcome('r1', turn));
  const part = drawPart({ entries: [run], tab: 'rescue', ...change }, (playground) =>
    renderRescueTab(playground, run),
  );
  document.body.replaceChildren(part.host);
  await part.host.querySelector<RescueTrace>('pg-rescue-trace')?.updateComplete;
  return part;
}

const rows = ({ host }: DrawnPart): string[] =>
  [...host.querySelectorAll('.spans > li')].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
const traced = ({ host }: DrawnPart): Element[] => [...host.querySelectorAll('.lines > span')];

describe('renderRescueTab', () => {
  it('says in words what was taken, how it was repaired, and what does not fit', async () => {
    const part = await draw(toTurn(TEXT, [call], REPORT));
    expect(part.text).toContain('1 call taken, 1 left alone');
    const [taken] = rows(part);
    expect(taken).toMatch(/^1 Taken as a call of get_weather, hermes-json by its marker/);
    expect(taken).toContain('Written as functions.get_weather');
    expect(taken).toContain(`Repaired single-quotes at ${start + 12}, ${start + 20}: ool_call>{'name': '`);
    expect(taken).toContain(`Repaired missing-close-tag at ${end}: `);
    expect(taken).toContain('/city is not one of Bergen');
    expect(taken).toContain(`characters ${start} to ${end}`);
  });

  it('says in words what was left alone, why, and what remains', async () => {
    const [, left, kept] = rows(await draw(toTurn(TEXT, [call], REPORT)));
    expect(left).toMatch(/^2 Left alone: unknown-tool, hermes-json search_flight was not offered\./);
    expect(left).toContain('Nearest: search_flights.');
    expect(left).toContain('Similar names are never called.');
    expect(kept).toMatch(/^Left as content/);
  });

  it('marks both in the text, with the numbers of the list and the damaged bits', async () => {
    const part = await draw(toTurn(TEXT, [call], REPORT));
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

  it('selects the twin of a mark and of a row: a call as such, anything else by its number', async () => {
    const part = await draw(toTurn(TEXT, [call], REPORT));
    part.host.querySelector<HTMLElement>('.mark.is-taken')?.click();
    expect(part.playground.state.selection).toEqual({ runId: 'r1', callIndex: 0 });
    part.host.querySelectorAll<HTMLElement>('.spans .title')[1]?.click();
    expect(part.playground.state.selection).toEqual({ runId: 'r1', spanNumber: 2 });
  });

  it('highlights what is selected in both', async () => {
    const part = await draw(toTurn(TEXT, [call], REPORT), { selection: { runId: 'r1', spanNumber: 2 } });
    expect(part.host.querySelector('.spans [aria-current]')?.textContent).toContain('Left alone');
    const marks = [...part.host.querySelectorAll('.mark.is-selected')];
    expect(marks.map(({ textContent }) => textContent)).toEqual(['{"name": "search_flight"}']);
  });

  it('with rescue off says what would have been taken, and reads the reply again with no request', async () => {
    const part = await draw(toTurn(TEXT, [], REPORT));
    expect(part.text).toContain('1 call would be taken, 1 left alone');
    expect(rows(part)[0]).toContain('Would be taken as a call of get_weather');
    expect(part.text).toContain('Read with rescue on');
    expect(part.host.querySelector('details')?.textContent).toContain('get_weather {"city":"Oslo"}');
    expect(part.frames).toEqual([]);
  });

  it('names the formats of a text in which nothing can be taken', async () => {
    const part = await draw(toTurn(TEXT, [], { calls: [], content: TEXT, rejected: [rejection] }));
    expect(part.text).toContain('no call taken, 1 left alone');
    expect(part.text).toContain('The text speaks hermes-json');
    expect(rows(part).at(-1)).toBe('Left as content All of it.');
  });

  it('says why a text was not searched: native calls, or no tools', async () => {
    expect((await draw(toTurn('Hm.', [CALL]))).text).toContain('The server returned 1 native call.');
    expect((await draw(toTurn('Hm.', []))).text).toContain('No tools were offered');
    expect((await draw(undefined)).text).toContain('The text is read when the reply is complete.');
  });

  it('marks closed reasoning, and a call that was rejected inside it', async () => {
    const thought = 'Hm. {"name": "x"} No.';
    const text = `<think>${thought}</think>Hello.`;
    const inside = rejectionAt(11, 24, { reason: 'in-reasoning' });
    const part = await draw(
      toTurn(text, [], { calls: [], content: 'Hello.', reasoning: thought, rejected: [inside] }),
    );
    const marks = traced(part).filter(({ classList }) => classList.contains('mark'));
    expect(
      marks.map(({ className, textContent }) => [className.trim().split(/\s+/)[1], textContent]),
    ).toEqual([
      ['is-aside', 'Hm. '],
      ['is-left', '{"name": "x"}'],
      ['is-aside', ' No.'],
    ]);
    expect(rows(part)[1]).toMatch(/^Closed reasoning characters 7 to 28/);
  });

  it('says of a span beyond the end of a cut text that it cannot be shown', async () => {
    const content = `${'x'.repeat(1_000_000)}… (500 more characters are not shown)`;
    const far = rescuedCallAt(1_000_100, 1_000_300, { repairs: [{ kind: 'trailing-comma', at: 1_000_200 }] });
    const part = await draw(toTurn(content, [far], { calls: [far], content, rejected: [] }), {
      selection: { runId: 'r1', callIndex: 0 },
    });
    expect(rows(part)[0]).toContain('Beyond the part of the text that the panel has.');
    expect(part.host.querySelector('.lines')?.textContent).toBe('x'.repeat(20_000));
    expect(part.host.querySelector('.rest')?.textContent).toContain('the panel does not have its end');
  });

  it('expands a long text to show a span that was selected', async () => {
    const content = `${'x'.repeat(30_000)}call`;
    const far = rescuedCallAt(30_000, 30_004);
    const part = await draw(toTurn(content, [far], { calls: [far], content: '', rejected: [] }), {
      selection: { runId: 'r1', callIndex: 0 },
    });
    expect(part.host.querySelector('.mark.is-selected')?.textContent).toBe('call');
  });
});
