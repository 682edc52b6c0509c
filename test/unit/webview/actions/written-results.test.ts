import { html } from 'lit';
import { describe, expect, it } from 'vitest';
import { isChanged, isErrorDraft } from '../../../../webview/actions/written-results';
import type { ResultDraft, ResultDrafts } from '../../../../webview/state/view-state';
import type { Drawn } from '../draw';
import { drawPart } from '../draw';
import { CALL, toMessage, toReplied, toReply, toResult, toRunState } from '../samples';

const draft = (content: string, part: Partial<ResultDraft> = {}): ResultDraft => ({
  content,
  isOpen: true,
  ...part,
});
const calls = [CALL, { ...CALL, id: 'c2' }, { ...CALL, id: 'c3' }];

/** A lane whose last reply has three calls, the first two of them with a result. */
const draw = (drafts: ResultDrafts, phase?: 'paused'): Promise<Drawn> => {
  const results = { 0: toResult('one'), 1: toResult('two') };
  const entries = [toMessage('m'), toReplied('r1', toReply('', calls), { results })];
  const run = phase ? toRunState('r1', { phase }) : null;
  const view = { results: new Map([['r1', drafts]]) };
  return drawPart(() => html``, { lanes: { a: { entries, run } }, view });
};
const given = ({ sent }: Drawn): unknown[] =>
  sent('result/give').map((params) => {
    const { results, isKept } = params as { results: object[]; isKept?: boolean };
    return [isKept ?? false, ...results];
  });
const result = (callIndex: number, content: string) => ({ callIndex, content, isError: false });

describe('isErrorDraft', () => {
  const error = toResult('Error: the station is offline', { isError: true });
  it.each([
    ['stays set for the text of the error', {}, error.content, true],
    ['stays set while the text is corrected', {}, 'Error: the station was offline', true],
    ['is unset for another text', {}, 'snow', false],
    ['is unset for JSON', {}, '{"temp_c":-2}', false],
    ['is unset for an empty text', {}, '', false],
    ['is what the person has set', { isError: true }, '{"temp_c":-2}', true],
  ])('%s', (_title, part, content, isError) => {
    expect(isErrorDraft(draft(content, part), error)).toBe(isError);
  });

  it('is unset for a result that is none, or that is not there yet', () => {
    expect(isErrorDraft(draft('4'), toResult('4'))).toBe(false);
    expect(isErrorDraft(draft('4'), undefined)).toBe(false);
  });
});

describe('isChanged', () => {
  it('is true once another text is written, or the mark of an error is set', () => {
    expect(isChanged(draft('4'), toResult('4'))).toBe(false);
    expect(isChanged(draft('5'), toResult('4'))).toBe(true);
    expect(isChanged(draft('4', { isError: true }), toResult('4'))).toBe(true);
    expect(isChanged(draft('4'), undefined)).toBe(true);
    expect(isChanged(draft(''), undefined)).toBe(false);
  });

  it('is false for what the editor has opened with, also where the panel knows only a part of it', () => {
    const long = toResult('4', { length: 30_000 });
    expect(isChanged(draft('4…', { isUntouched: true }), long)).toBe(false);
    expect(isChanged(draft('4…'), long)).toBe(true);
    expect(isChanged(draft('of a mock', { isUntouched: true }), undefined)).toBe(false);
  });
});

describe('WrittenResults', () => {
  it('sends a result with the other changed ones that are open, but not with one for an open call', async () => {
    const drawn = await draw({ 0: draft('1'), 1: draft('2'), 2: draft('3') });
    expect(await drawn.playground.results.send('a', 'r1', 0)).toBe(true);
    expect(given(drawn)).toEqual([[false, result(0, '1'), result(1, '2')]]);
    expect(Object.keys(drawn.playground.state.view.results.get('r1') ?? {})).toEqual(['2']);
  });

  it('keeps what is typed when the session refuses it', async () => {
    const drawn = await draw({ 0: draft('1') });
    drawn.playground.send = () => Promise.resolve(false);
    expect(await drawn.playground.results.send('a', 'r1', 0)).toBe(false);
    expect(drawn.playground.state.view.results.get('r1')?.[0]?.content).toBe('1');
  });

  it.each([
    ['the next step', (drawn: Drawn) => drawn.playground.continueRun('a', true), 'run/continue'],
    ['the rest of the run', (drawn: Drawn) => drawn.playground.continueRun('a', false), 'run/continue'],
  ] as const)(
    'gives the open results before %s, and closes the unchanged ones',
    async (_what, go, method) => {
      const drawn = await draw(
        { 0: draft('1'), 1: draft('two'), 2: draft('x', { isOpen: false }) },
        'paused',
      );
      await go(drawn);
      expect(given(drawn)).toEqual([[true, result(0, '1')]]);
      expect(drawn.sent(method)).toHaveLength(1);
      expect(Object.keys(drawn.playground.state.view.results.get('r1') ?? {})).toEqual(['2']);
    },
  );

  it('sends nothing else when an open result is refused', async () => {
    const drawn = await draw({ 0: draft('1') }, 'paused');
    const sent: string[] = [];
    drawn.playground.send = (method) => Promise.resolve(sent.push(method) < 0);
    await drawn.playground.continueRun('a', true);
    expect(sent).toEqual(['result/give']);
  });

  it('gives what is written for an open call before an agent run, which its mock would answer otherwise', async () => {
    const drawn = await draw({ 2: draft('3') });
    await drawn.playground.runAgain('a', { kind: 'agent' });
    expect(given(drawn)).toEqual([[true, result(2, '3')]]);
  });

  it('gives none to a reply that is asked for again', async () => {
    const drawn = await draw({ 2: draft('3') });
    await drawn.playground.runAgain('a');
    expect(given(drawn)).toEqual([]);
    expect(drawn.sent('run/start')).toHaveLength(1);
  });

  it('leaves a result that nobody has typed to the mock', async () => {
    const drawn = await draw({ 2: draft('of a mock', { isUntouched: true }) });
    await drawn.playground.runAgain('a', { kind: 'agent' });
    expect(given(drawn)).toEqual([]);
  });
});
