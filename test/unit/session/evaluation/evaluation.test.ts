// An evaluation from the start to the summary, on scripted providers: what is sent, judged, stored and shown.
import { describe, expect, it } from 'vitest';
import type { EvaluationSnapshot } from '../../../../src/protocol';
import type { RowsFile } from '../../../../src/session';
import { MemoryRunStore } from '../../../../src/session';
import type { Opened, Script, SessionSetup } from '../../../support/session/scripted-session';
import { calling, openSession } from '../../../support/session/scripted-session';

const WEATHER = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const ROWS = [
  { id: 'oslo', city: 'Oslo' },
  { id: 'bergen', city: 'Bergen' },
];

/** Calls the tool with the city of the question, but for a city that it does not know. */
const weather: Script = ({ messages }) => {
  const city = /in (\w+)/.exec(messages.at(-1)?.content ?? '')?.[1] ?? '';
  return { ...calling('get_weather'), toolCalls: [{ ...call, arguments: { city } }] };
};
const call = { id: 'call_1', name: 'get_weather', arguments: {}, source: 'native' as const };

const playground = (change: object = {}): string =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
    tools: [WEATHER],
    lanes: [{ id: 'a' }, { id: 'b' }],
    evaluate: { repeat: 2, rows: ROWS },
    expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] }],
    ...change,
  });

async function evaluate(setup: SessionSetup = {}): Promise<Opened> {
  const opened = await openSession({ text: playground(), script: weather, ...setup });
  await opened.ask('evaluation/start', { isConfirmed: true });
  await opened.session.evaluation.ended();
  return opened;
}

const shown = ({ session }: Opened): EvaluationSnapshot => session.evaluation.snapshot;

describe('Evaluation', () => {
  it('sends every row to every lane so often, and judges what comes', async () => {
    const opened = await evaluate();
    expect(opened.asked.map(({ messages }) => messages.at(-1)?.content)).toEqual([
      ...repeated('What is the weather in Oslo?', 2),
      ...repeated('What is the weather in Bergen?', 2),
      ...repeated('What is the weather in Oslo?', 2),
      ...repeated('What is the weather in Bergen?', 2),
    ]);
    const { result } = shown(opened);
    expect(result?.summary).toMatchObject({ planned: 8, passed: 8, failed: 0, notRun: 0, gate: 'met' });
    expect(result?.rows).toMatchObject({ all: 2, failing: 0 });
    expect(result?.comparisons).toHaveLength(1);
    expect(result?.stopped).toBeUndefined();
  });

  it('says what is expected of each row, and how each case came out', async () => {
    const opened = await evaluate({ script: () => calling('get_weather') });
    const { rows, total } = await opened.ask('evaluation/rows', { filter: 'failing', from: 0, count: 10 });
    expect(total).toBe(1);
    expect(rows).toMatchObject([
      {
        id: 'bergen',
        expects: 'get_weather {"city":"Bergen"}',
        cells: [
          { laneId: 'a', passed: 0, failed: 2, gate: 'lost', underWay: 0 },
          { laneId: 'b', failed: 2 },
        ],
      },
    ]);
    const { samples, calls, variables } = await opened.ask('evaluation/case', {
      rowId: 'bergen',
      laneId: 'a',
    });
    expect(samples).toMatchObject([
      { repeat: 1, verdict: 'failed', message: 'get_weather: city is "Oslo"; expected "Bergen".' },
      { repeat: 2 },
    ]);
    expect(calls).toEqual([{ count: 2, calls: 'get_weather {"city":"Oslo"}' }]);
    expect(variables).toEqual([
      { name: 'id', value: '"bergen"' },
      { name: 'city', value: '"Bergen"' },
    ]);
  });

  it('shows a sample with its conversation and what each expectation came to', async () => {
    const opened = await evaluate();
    const { entries, expectations, sample } = await opened.ask('evaluation/sample', {
      rowId: 'oslo',
      laneId: 'b',
      repeat: 2,
    });
    expect(sample.verdict).toBe('passed');
    expect(expectations).toMatchObject([{ index: 0, verdict: 'passed' }]);
    expect(entries).toMatchObject([
      { kind: 'message', content: 'What is the weather in Oslo?' },
      { kind: 'run', outcome: { verdict: { kind: 'native' } } },
    ]);
  });

  describe('with rows that are turns of one conversation', () => {
    const asked = (city: string) => ({ id: city, name: 'get_weather', arguments: { city } });
    const messages = [
      { role: 'user', content: 'You have tools.' },
      { role: 'user', content: 'Is it warmer in Oslo or in Bergen? {{' },
      { role: 'assistant', content: '', toolCalls: [asked('Oslo')] },
      { role: 'tool', content: '4', toolCallId: 'Oslo' },
      { role: 'assistant', content: '', toolCalls: [asked('Bergen')] },
      { role: 'tool', content: '7', toolCallId: 'Bergen' },
    ].map((message) => ({ ...message, content: message.content.replace('{{', String.raw`\{{`) }));
    const expected = (city: string) => [{ calls: [{ tool: 'get_weather', arguments: { city } }] }];
    const rows = [
      { $id: '1', $name: 'Turn 1', $messages: '1-2', $expect: expected('Oslo') },
      { $id: '2', $name: 'Turn 2', $messages: '1-4', $expect: expected('Bergen') },
      { $id: '3', $name: 'Turn 3', $messages: '2, 5-6', $expect: [{ calls: [] }] },
    ];
    const turns = (change: object = {}): string =>
      playground({ messages, lanes: [{ id: 'a' }], evaluate: { rows }, expect: [], ...change });

    it('sends of each row the messages that it picks', async () => {
      const opened = await evaluate({ text: turns() });
      expect(opened.asked.map((each) => each.messages.map(({ content }) => content))).toEqual([
        ['You have tools.', 'Is it warmer in Oslo or in Bergen? {{'],
        ['You have tools.', 'Is it warmer in Oslo or in Bergen? {{', '', '4'],
        ['Is it warmer in Oslo or in Bergen? {{', '', '7'],
      ]);
    });

    it('says where a lane leaves the recorded way', async () => {
      const opened = await evaluate({
        text: turns(),
        script: ({ messages: { length } }) =>
          length === 3
            ? { content: 'Bergen.' }
            : { ...calling('get_weather'), toolCalls: [{ ...call, arguments: { city: 'Oslo' } }] },
      });
      const [sentence = []] = shown(opened).result?.departures ?? [];
      expect(sentence.map(({ text }) => text).join('')).toBe(
        'first-look leaves the recorded way at Turn 2: other arguments of get_weather. ' +
          '2 of 3 turns are as recorded; 1 × other arguments.',
      );
    });

    it('does not offer them for an ordinary run', async () => {
      const opened = await openSession({ text: turns() });
      await opened.until(() => shown(opened).plan !== undefined);
      expect(shown(opened)).toMatchObject({ rows: [], rowCount: 3, plan: { samples: 3 } });
    });

    it('refuses a row that names a message that is not there', async () => {
      const opened = await openSession({
        text: turns({ evaluate: { rows: [...rows, { $id: '4', $messages: '1-7' }] } }),
      });
      await opened.until(() => shown(opened).problems.length > 0);
      expect(shown(opened).problems).toMatchObject([
        { message: '$messages of the row 4 names message 7; the playground has 6.' },
      ]);
    });
  });

  it('judges the text without closed reasoning', async () => {
    const text = playground({ expect: [{ text: 'It is cold.' }], evaluate: { repeat: 1, rows: ROWS } });
    const opened = await evaluate({
      text,
      script: () => ({ content: '<think>Snow?</think>\n\nIt is cold.' }),
    });
    expect(shown(opened).result?.summary).toMatchObject({ passed: 4, planned: 4 });
  });

  it('judges again without a request when what is expected changes', async () => {
    const opened = await evaluate();
    const before = opened.asked.length;
    const expected = [{ calls: [{ tool: 'get_weather', arguments: { city: 'Oslo' } }] }];
    opened.backing.replace(playground({ expect: expected }));
    await opened.until(() => shown(opened).result?.summary.failed === 4);
    expect(opened.asked).toHaveLength(before);
    expect(shown(opened).result?.isOutdated).toBe(false);
  });

  it('sends nothing that is stored again, also after the session was closed', async () => {
    const store = new MemoryRunStore();
    const first = await evaluate({ store });
    await first.session.dispose();
    const again = await openSession({
      text: playground({ lanes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }),
      store,
      script: weather,
    });
    await again.ask('evaluation/start', {});
    await again.session.evaluation.ended();
    expect(again.asked).toHaveLength(4);
    expect(shown(again).result?.summary).toMatchObject({ planned: 12, passed: 12 });
  });

  it('asks before an agent may send more requests than start without a word', async () => {
    const text = playground({ evaluate: { mode: 'agent', repeat: 2, rows: ROWS } });
    const opened = await openSession({ text, script: weather });
    await expect(opened.ask('evaluation/start', {})).rejects.toThrow(/80/);
    expect(opened.asked).toEqual([]);
  });

  it('refuses to start when every sample is stored, and begins anew when asked to', async () => {
    const opened = await evaluate();
    await expect(opened.ask('evaluation/start', {})).rejects.toThrow('Every sample is stored already.');
    await opened.ask('evaluation/start', { isAnew: true });
    await opened.session.evaluation.ended();
    expect(opened.asked).toHaveLength(16);
    expect(shown(opened).stored).toHaveLength(2);
  });

  it('lists what it stored with its extent and what a person said of it, also after the session was closed', async () => {
    const store = new MemoryRunStore();
    const first = await evaluate({ store });
    const [id = ''] = shown(first).stored.map((each) => each.id);
    await first.session.evaluation.mark(id, { name: '  before ', isPinned: true });
    const stored = {
      id,
      passed: 8,
      failed: 0,
      planned: 8,
      notRun: 0,
      rows: 2,
      repeats: 2,
      lanes: ['a', 'b'],
      name: 'before',
      isPinned: true,
    };
    expect(shown(first).stored).toMatchObject([
      { ...stored, lanes: [expect.any(String), expect.any(String)] },
    ]);
    await first.session.evaluation.mark(id, { name: '' });
    await first.session.dispose();
    const again = await openSession({ text: playground(), store });
    await again.ask('evaluation/show', {});
    expect(shown(again).stored).toMatchObject([{ id, isPinned: true }]);
    expect(shown(again).stored[0]).not.toHaveProperty('name');
  });

  it('shows a stored evaluation against another one, both judged by what is expected now', async () => {
    let city = 'Bergen';
    const script: Script = () => ({
      ...calling('get_weather'),
      toolCalls: [{ ...call, arguments: { city } }],
    });
    const text = playground({ expect: [{ calls: [{ tool: 'get_weather', arguments: { city: 'Oslo' } }] }] });
    const opened = await evaluate({ text, script });
    city = 'Oslo';
    await opened.ask('evaluation/start', { isAnew: true });
    await opened.session.evaluation.ended();
    const [later, earlier] = shown(opened).stored.map(({ id }) => id);
    await opened.ask('evaluation/show', { id: later, baselineId: earlier });
    expect(shown(opened).baseline?.id).toBe(earlier);
    expect(shown(opened).result?.rows).toMatchObject({ fixed: 2, broken: 0 });
    const sent = opened.asked.length;
    opened.backing.replace(playground({ expect: [{ calls: [{ tool: 'get_weather' }] }] }));
    await opened.until(() => shown(opened).result?.rows.fixed === 0);
    expect(shown(opened).stored).toMatchObject([
      { passed: 8, failed: 0 },
      { passed: 0, failed: 8 },
    ]);
    expect(opened.asked).toHaveLength(sent);
    await opened.ask('evaluation/show', { id: earlier });
    expect(shown(opened).baseline).toBeUndefined();
    expect(shown(opened).result).toMatchObject({ id: earlier, summary: { passed: 8 } });
  });

  it('removes stored evaluations, and shows what is left', async () => {
    const store = new MemoryRunStore();
    const opened = await evaluate({ store });
    await opened.ask('evaluation/start', { isAnew: true });
    await opened.session.evaluation.ended();
    const [later = '', earlier = ''] = shown(opened).stored.map(({ id }) => id);
    await opened.ask('evaluation/show', { id: later, baselineId: earlier });
    await opened.session.evaluation.remove([later]);
    await opened.until(() => shown(opened).stored.length === 1);
    expect(shown(opened)).toMatchObject({ result: { id: earlier, summary: { passed: 8 } } });
    await opened.session.evaluation.remove([earlier]);
    await opened.until(() => shown(opened).stored.length === 0);
    expect(shown(opened).result).toBeUndefined();
    await opened.session.dispose();
    const again = await openSession({ text: playground(), store });
    await expect(again.ask('evaluation/show', {})).rejects.toThrow('no longer stored');
  });

  it('accepts one more value by one click, and judges by it', async () => {
    const expected = [{ calls: [{ tool: 'get_weather', arguments: { city: 'Oslo' } }] }];
    const opened = await evaluate({ text: playground({ expect: expected }) });
    const place = { rowId: 'bergen', laneId: 'a', repeat: 1 };
    await opened.ask('evaluation/accept', { ...place, expectation: 0 });
    const accepted = { city: { $oneOf: ['Oslo', 'Bergen'] } };
    expect(opened.session.editable.document.expect[0]?.calls?.[0]?.arguments).toEqual(accepted);
    await opened.until(() => shown(opened).result?.summary.passed === 8);
  });

  it('accepts a value of what a row alone expects where the row is', async () => {
    const own = [{ calls: [{ tool: 'get_weather', arguments: { city: 'Bodø' } }] }];
    const text = playground({
      expect: [],
      evaluate: { repeat: 1, rows: [{ city: 'Oslo' }, { city: 'Bergen', $expect: own }] },
    });
    const opened = await evaluate({ text });
    const rowId = shown(opened).rows[1]?.id ?? '';
    const place = { rowId, laneId: 'a', repeat: 1 };
    const { ownExpect } = await opened.ask('evaluation/sample', place);
    expect(ownExpect).toEqual({ path: ['evaluate', 'rows', 1, '$expect'] });
    await opened.ask('evaluation/accept', { ...place, expectation: 0 });
    expect(opened.backing.text).toContain('{"$oneOf":["Bodø","Bergen"]}');
    await opened.until(() => shown(opened).result?.summary.passed === 4);
  });

  it('says where the expectation of a row in a file is', async () => {
    const rowsFile: RowsFile = {
      read: () => Promise.resolve({ text: '{"city":"Oslo"}\n{"city":"Bergen","$expect":[{"calls":[]}]}\n' }),
      onDidChange: () => () => undefined,
    };
    const text = playground({ evaluate: { rows: './rows.jsonl' } });
    const opened = await evaluate({ text, rowsFile });
    const place = { rowId: shown(opened).rows[1]?.id ?? '', laneId: 'a', repeat: 1 };
    expect(await opened.ask('evaluation/sample', place)).toMatchObject({ ownExpect: { line: 2 } });
    await expect(opened.ask('evaluation/accept', { ...place, expectation: 1 })).rejects.toThrow('line 2');
  });

  it('keeps the chosen row and the reference lane when it is opened again', async () => {
    const store = new MemoryRunStore();
    const first = await openSession({ text: playground(), store });
    await first.ask('evaluation/choose-row', { rowId: 'bergen' });
    await first.ask('evaluation/reference', { laneId: 'b' });
    await first.session.dispose();
    const again = await openSession({ text: playground(), store, script: weather });
    await again.ask('evaluation/show', {}).catch(() => undefined);
    expect(shown(again)).toMatchObject({ chosenRowId: 'bergen', referenceId: 'b' });
    await again.ask('run/replay', { laneIds: ['a'], kind: 'chat' });
    await again.settled();
    expect(again.asked.at(-1)?.messages.at(-1)?.content).toBe('What is the weather in Bergen?');
    await again.ask('evaluation/choose-row', {});
    await again.session.dispose();
    const last = await openSession({ text: playground(), store });
    await last.ask('evaluation/show', {}).catch(() => undefined);
    expect(shown(last).chosenRowId).toBeUndefined();
    expect(shown(last).referenceId).toBe('b');
  });

  it('makes an expectation of the call of a reply', async () => {
    const opened = await openSession({ text: playground({ expect: [] }), script: weather });
    await opened.ask('evaluation/choose-row', { rowId: 'bergen' });
    await opened.ask('run/replay', { laneIds: ['a'], kind: 'chat' });
    await opened.settled();
    const runId = opened.runs().at(-1)?.id ?? '';
    await opened.ask('evaluation/expect', { laneId: 'a', runId, what: 'call', callIndex: 0 });
    expect(opened.session.editable.document.expect).toEqual([
      { calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] },
    ]);
  });

  it('fills an ordinary run with the row that is chosen, and sends none with an open placeholder', async () => {
    const text = playground({ system: 'Only {{city}}.' });
    const opened = await openSession({ text, script: weather });
    const start = () => opened.ask('run/replay', { laneIds: ['a'], kind: 'chat' });
    await expect(start()).rejects.toThrow('system has {{city}}, and no row is chosen that fills it.');
    await opened.ask('evaluation/choose-row', { rowId: 'oslo' });
    await start();
    await opened.settled();
    expect(opened.asked.map(({ messages }) => messages.map(({ content }) => content))).toEqual([
      ['Only Oslo.', 'What is the weather in Oslo?'],
    ]);
    expect(opened.entries()).toHaveLength(2);
    await opened.ask('evaluation/choose-row', {});
    await expect(opened.ask('run/replay', { laneIds: ['a'], kind: 'chat' })).rejects.toThrow(
      'no row is chosen',
    );
  });

  it('makes a sample the conversation of its lane', async () => {
    const opened = await evaluate();
    await opened.ask('evaluation/open-sample', { rowId: 'bergen', laneId: 'b', repeat: 2 });
    expect(opened.entries('b')).toMatchObject([
      { kind: 'message', content: 'What is the weather in Bergen?' },
      { kind: 'run', outcome: { reply: { toolCalls: [{ arguments: { city: 'Bergen' } }] } } },
    ]);
  });

  it('still shows what came while the document cannot be evaluated', async () => {
    const opened = await evaluate();
    opened.backing.replace('{');
    await opened.until(() => shown(opened).problems.length > 0);
    expect(shown(opened)).not.toHaveProperty('plan');
    expect(shown(opened).result?.summary.passed).toBe(8);
  });

  it('says what keeps it from starting, with the line', async () => {
    const opened = await openSession({ text: playground({ evaluate: { rows: [{ town: 'Oslo' }] } }) });
    await expect(opened.ask('evaluation/start', {})).rejects.toThrow('{{city}}');
    expect(shown(opened).problems).toMatchObject([{ line: 1 }, { line: 1 }]);
    expect(opened.asked).toHaveLength(0);
  });
});
const repeated = (text: string, count: number): string[] => Array.from({ length: count }, () => text);
