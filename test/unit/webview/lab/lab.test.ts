// The page's side of the format lab: what it reads and when, what it stores, what it accepts.
import { describe, expect, it, vi } from 'vitest';
import { stepFormat } from '../../../../webview/lab/lab-state';
import { openLab } from './open-lab';

const CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>';
const TOOL = { name: 'search', parameters: { type: 'object', properties: {} } };
const GIVEN = { id: 'g1', from: 'a selection in notes.md', document: { version: 1 as const, text: CALL } };

describe('Lab', () => {
  it('reads text as it is typed, and compares the formats after a pause', async () => {
    const { lab, sent, settle } = await openLab();
    const before = sent('lab/read').length;
    for (const end of [20, 40, CALL.length]) {
      lab.change({ text: CALL.slice(0, end) });
      await vi.advanceTimersByTimeAsync(100);
      expect(lab.state.reading?.text).toBe(CALL.slice(0, end));
    }
    expect(sent('lab/read')).toHaveLength(before + 3);
    expect(sent('lab/compare-formats')).toEqual([]);
    await settle();
    expect(sent('lab/compare-formats')).toHaveLength(1);
    expect(lab.state.reading?.report.calls).toMatchObject([{ name: 'get_weather' }]);
    expect(lab.state.counts?.[0]).toEqual({ id: 'hermes-json', calls: 1, rejected: 0 });
  });

  it('requests one reading at a time, and then the latest state', async () => {
    const { lab, sent, settle } = await openLab();
    const before = sent('lab/read').length;
    for (let end = 1; end <= CALL.length; end++) lab.change({ text: CALL.slice(0, end) });
    await settle();
    expect(sent('lab/read')).toHaveLength(before + 1);
    expect(sent('lab/read').at(-1)?.text).toBe(CALL);
  });

  it('reads a text that takes long less often', async () => {
    const { lab, sent } = await openLab();
    lab.change({ text: CALL });
    await vi.advanceTimersByTimeAsync(80);
    const reading = lab.state.reading;
    if (!reading) throw new Error('nothing was read');
    Object.assign(reading, { durationMs: 400 });
    const before = sent('lab/read').length;
    lab.change({ text: `${CALL} ` });
    await vi.advanceTimersByTimeAsync(790);
    expect(sent('lab/read')).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(20);
    expect(sent('lab/read')).toHaveLength(before + 1);
  });

  it('does not compare formats for a long or an empty text', async () => {
    const { lab, sent, settle } = await openLab();
    lab.change({ text: 'x'.repeat(50_001) });
    await settle();
    expect(sent('lab/compare-formats')).toEqual([]);
  });

  it('stores text and choices, and restores them after a reload', async () => {
    const { lab, kept, settle } = await openLab();
    lab.change({ text: CALL, format: 'hermes-json', writeAs: 'react', tools: [TOOL] });
    await settle();
    const again = await openLab({ stored: kept() });
    expect(again.lab.state.document).toEqual(lab.state.document);
    expect(again.lab.state.reading?.text).toBe(CALL);
  });

  it('stores the last text when the page is left', async () => {
    const { lab, kept } = await openLab();
    lab.change({ text: 'abc' });
    lab.flush();
    expect(kept()).toMatchObject({ document: { text: 'abc' } });
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'abc'],
    ['a document of another kind', { document: { version: 9, text: 'x' } }],
    ['a text that is too long', { document: { version: 1, text: 'x'.repeat(1_000_001) } }],
    ['tools that are none', { document: { version: 1, text: 'x', tools: [null] } }],
  ])('starts empty with %s in its store', async (_, stored) => {
    const { lab } = await openLab({ stored });
    expect(lab.state.document).toEqual({ version: 1, text: '' });
  });

  it('applies a given document once, so that a reload keeps later changes', async () => {
    const first = await openLab({ given: GIVEN });
    expect(first.lab.state).toMatchObject({ from: GIVEN.from, document: GIVEN.document });
    first.lab.change({ text: 'changed' });
    await first.settle();
    const again = await openLab({ given: GIVEN, stored: first.kept() });
    expect(again.lab.state.document.text).toBe('changed');
    const other = await openLab({ given: { ...GIVEN, id: 'g2' }, stored: first.kept() });
    expect(other.lab.state.document.text).toBe(CALL);
  });

  it('keeps tools and format if only another text is given', async () => {
    const { lab, give, settle } = await openLab();
    lab.change({ text: 'old', tools: [TOOL], format: 'react' });
    give({ ...GIVEN, isTextOnly: true });
    await settle();
    expect(lab.state.document).toEqual({ version: 1, text: CALL, tools: [TOOL], format: 'react' });
    expect(lab.state.reading?.text).toBe(CALL);
    give({ ...GIVEN, id: 'g3' });
    expect(lab.state.document).toEqual(GIVEN.document);
  });

  it('shows why it cannot be opened or read', async () => {
    const shut = await openLab({ answers: { 'lab/open': new Error('Gone') } });
    expect(shut.lab.state.problem?.what).toBe('Gone');
    const problem = { code: 'refused', title: 'No lab', what: 'Line 2: broken', why: '', next: 'Mend it.' };
    const broken = await openLab({ answers: { 'lab/open': { formats: [], problem } } });
    expect(broken.lab.state.problem).toEqual(problem);
    broken.lab.change({ text: CALL });
    await broken.settle();
    expect(broken.lab.state).toMatchObject({ problem: undefined, reading: { text: CALL } });
    const unread = await openLab({ answers: { 'lab/read': new Error('Too much') } });
    unread.lab.change({ text: 'x' });
    await unread.settle();
    expect(unread.lab.state.problem?.what).toBe('Too much');
  });

  it('says why a file could not be opened, and keeps working', async () => {
    const { lab, settle } = await openLab({ answers: { 'lab/open-file': new Error('No such file.') } });
    await lab.openFile();
    expect(lab.state.notice).toBe('No such file. Try another one.');
    await settle();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(lab.state.notice).toBe('');
  });

  it('uses the chosen tools, and keeps the old ones if none are chosen', async () => {
    const { lab } = await openLab({ answers: { 'lab/choose-tools': { tools: [TOOL] } } });
    await lab.chooseTools();
    expect(lab.state.document.tools).toEqual([TOOL]);
    const none = await openLab({ answers: { 'lab/choose-tools': {} } });
    await none.lab.chooseTools();
    expect(none.lab.state.document.tools).toBeUndefined();
  });

  it('sends the whole document to be saved', async () => {
    const { lab, sent } = await openLab({ answers: { 'lab/save': { isSaved: true } } });
    lab.change({ text: 'abc', writeAs: 'react' });
    await lab.save();
    expect(sent('lab/save')).toEqual([{ document: { version: 1, text: 'abc', writeAs: 'react' } }]);
    expect(lab.state.notice).toContain('saved');
  });
});

describe('stepFormat', () => {
  const formats = ['a', 'b', 'c'].map((id) => ({ id, title: id, nativeHints: [] }));

  it.each([
    [undefined, 1, 'a'],
    [undefined, -1, 'c'],
    ['a', 1, 'b'],
    ['a', -1, 'c'],
    ['c', 1, 'a'],
  ] as const)('steps from %s by %i to %s', (from, step, to) => {
    expect(stepFormat(formats, from, step)).toBe(to);
  });

  it('returns nothing without formats', () => {
    expect(stepFormat([], 'a', 1)).toBeUndefined();
  });
});
