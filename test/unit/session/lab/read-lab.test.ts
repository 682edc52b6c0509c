// What the format lab shows of a text: limited in size, and written in other formats.
import { describe, expect, it, vi } from 'vitest';
import { formatToolCalls, rescueFormats } from '../../../../src/library';
import { compareFormats, readLab } from '../../../../src/session/lab/read-lab';

const CALL = { name: 'get_weather', arguments: { city: 'Oslo' } };
const TOOL = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const HERMES = formatToolCalls([CALL], 'hermes-json');
const now = () => 0;

describe('readLab', () => {
  it('reads with the given tools only', () => {
    const { report, tools } = readLab({ text: HERMES, tools: [TOOL] }, now).view;
    expect(report.calls).toMatchObject([{ ...CALL, format: 'hermes-json', start: 0, end: HERMES.length }]);
    expect(tools).toEqual([TOOL]);
    const none = readLab({ text: HERMES, tools: [] }, now).view;
    expect(none.report.calls).toEqual([]);
    expect(none.report.rejected).toMatchObject([{ reason: 'unknown-tool', name: 'get_weather' }]);
  });

  it('guesses the tools if none are given', () => {
    const { report, tools } = readLab({ text: `Sure.\n${HERMES}` }, now).view;
    expect(report).toMatchObject({ content: 'Sure.', calls: [CALL] });
    expect(tools).toEqual([TOOL]);
  });

  it('gives the same reason for a call in code with guessed tools as with chosen ones', () => {
    const text = `Say \`${HERMES}\` to call it.`;
    const { rejected } = readLab({ text, tools: [TOOL] }, now).view.report;
    expect(rejected).toMatchObject([{ name: 'get_weather' }]);
    expect(readLab({ text }, now).view.report.rejected).toEqual(rejected);
  });

  it('checks the calls against the schemas of the chosen tools, as a run does', () => {
    const properties = { city: { type: 'string', maxLength: 3 } };
    const tools = [{ name: 'get_weather', parameters: { type: 'object', properties } }];
    const { calls } = readLab({ text: HERMES, tools }, now).view.report;
    expect(calls[0]?.schemaIssues).toEqual([
      { path: '/city', message: expect.stringContaining('3') as string },
    ]);
    expect(readLab({ text: HERMES }, now).view.report.calls[0]).not.toHaveProperty('schemaIssues');
  });

  it('reads a call that is nearly as long as a text may be', () => {
    const city = 'Oslo '.repeat(190_000);
    const text = formatToolCalls([{ name: 'get_weather', arguments: { city } }], 'hermes-json');
    const { report, tools } = readLab({ text }, now).view;
    expect(tools).toEqual([TOOL]);
    expect(report).toMatchObject({ calls: [{ name: 'get_weather' }], rejected: [] });
  });

  it('says of a tool that was not chosen that it was not offered, without a request', () => {
    const { rejected } = readLab({ text: HERMES, tools: [] }, now).view.report;
    expect(rejected[0]?.detail).toBe('`get_weather` was not offered.');
  });

  it('reads with one format only', () => {
    expect(readLab({ text: HERMES, tools: [TOOL], format: 'qwen-xml' }, now).view.report.calls).toEqual([]);
    expect(
      readLab({ text: HERMES, tools: [TOOL], format: 'hermes-json' }, now).view.report.calls,
    ).toHaveLength(1);
  });

  it.each(rescueFormats().map(({ id }) => id))(
    'writes the calls in %s, and reads the same from the result',
    (writeAs) => {
      const { written } = readLab({ text: HERMES, tools: [TOOL], writeAs }, now).view;
      if (!written || !('text' in written)) throw new Error('nothing was written');
      expect(readLab({ text: written.text, tools: [TOOL] }, now).view.report.calls).toMatchObject([CALL]);
    },
  );

  it('gives the reason if a format cannot write them', () => {
    const two = formatToolCalls([CALL, CALL], 'hermes-json');
    const { written } = readLab({ text: two, tools: [TOOL], writeAs: 'react' }, now).view;
    expect(written).toMatchObject({
      problem: expect.stringContaining('react has room for one call') as string,
    });
    const unknown = readLab({ text: HERMES, tools: [TOOL], writeAs: 'no-such' }, now).view.written;
    expect(unknown).toMatchObject({ problem: expect.stringContaining('not a known format') as string });
  });

  it('writes nothing without a call', () => {
    expect(readLab({ text: 'Hello', tools: [TOOL], writeAs: 'react' }, now).view.written).toBeUndefined();
  });

  it.each([
    [1_000, []],
    [1_001, [1]],
  ])('names the calls with a list that it truncates, as of %i entries', (length, partCalls) => {
    const many = { name: 'add', arguments: { of: { all: Array.from({ length }, (_, index) => index) } } };
    const text = formatToolCalls([CALL, many, CALL], 'hermes-json');
    const { view } = readLab({ text, tools: [TOOL, { name: 'add', parameters: { type: 'object' } }] }, now);
    expect(view.report.calls).toHaveLength(3);
    expect(view.partCalls).toEqual(partCalls);
    expect(view.report.calls[1]?.arguments).toMatchObject({ of: { all: { length: 1_000 } } });
  });

  it('shows a limited part of a long text, and counts what it leaves out', () => {
    const calls = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({
        name,
        arguments: { city: `${index} ${'x'.repeat(index)}` },
      }));
    const known = formatToolCalls(calls(300, 'get_weather'), 'hermes-json');
    const unknown = formatToolCalls(calls(250, 'other'), 'hermes-json');
    const text = `${known}\n${'word '.repeat(10_000)}\n${unknown}`;
    const { report, view } = readLab({ text, tools: [TOOL] }, now);
    expect(report.calls).toHaveLength(300);
    expect(view.report.calls).toHaveLength(200);
    expect(view.report.rejected).toHaveLength(200);
    expect(view).toMatchObject({ omittedCalls: 100, omittedRejected: 50 });
    expect(view.contentLength).toBe(report.content.length);
    expect(view.report.content.length).toBeLessThanOrEqual(20_000);
    const written = readLab({ text, tools: [TOOL], writeAs: 'yaml' }, now).view.written;
    expect(written).toHaveProperty('text');
  });

  it('shows the texts of a call completely, because the page copies it', () => {
    const city = `${'x'.repeat(30_000)} the end`;
    const text = formatToolCalls([{ name: 'get_weather', arguments: { city } }], 'hermes-json');
    const { calls } = readLab({ text, tools: [TOOL] }, now).view.report;
    expect(calls[0]?.arguments).toEqual({ city });
  });

  it('refuses to show a result that is too long for a page', () => {
    const call = { name: 'get_weather', arguments: { city: 'x'.repeat(300_000) } };
    const text = formatToolCalls([call], 'hermes-json');
    const { view } = readLab({ text, tools: [TOOL], writeAs: 'xlam' }, now);
    expect(view.written).toMatchObject({ problem: expect.stringContaining('200000') as string });
    expect(JSON.stringify(view).length).toBeLessThan(1.1 * text.length);
  });
});

describe('compareFormats', () => {
  const options = { signal: new AbortController().signal, now, pause: () => Promise.resolve() };

  it('counts what each format alone finds and rejects, and lists no other format', async () => {
    const text = `${HERMES}\n${formatToolCalls([{ ...CALL, name: 'other' }], 'react')}`;
    const counts = await compareFormats({ text, tools: [TOOL] }, options);
    expect(counts[0]).toEqual({ id: 'hermes-json', calls: 1, rejected: 0 });
    expect(counts).toContainEqual({ id: 'react', calls: 0, rejected: 1 });
    expect(counts.map(({ id }) => id)).not.toContain('kimi-k2');
    expect(await compareFormats({ text: 'Hello', tools: [TOOL] }, options)).toEqual([]);
  });

  it('yields to other work, and ends when it is aborted', async () => {
    const controller = new AbortController();
    let time = 0;
    const pause = vi.fn<() => Promise<void>>(() => {
      if (pause.mock.calls.length === 3) controller.abort(new Error('enough'));
      return Promise.resolve();
    });
    const counting = compareFormats(
      { text: HERMES, tools: [TOOL] },
      { signal: controller.signal, now: () => (time += 10), pause },
    );
    await expect(counting).rejects.toThrow('enough');
    expect(pause).toHaveBeenCalledTimes(3);
  });
});
