// Evaluations in the Test Explorer, on scripted providers: what is listed, run, told, and sent.
import { beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import { EvaluationServices } from '../../../../src/host/evaluations/evaluation-services';
import type { Opened, Script, SessionSetup } from '../../../support/session/scripted-session';
import { calling, openSession } from '../../../support/session/scripted-session';
import type { FakeExplorer } from '../../../support/vscode/test-explorer';
import { fakeExplorer } from '../../../support/vscode/test-explorer';
import { editor, resetEditor, Uri, writeFile } from '../../../support/vscode/vscode-files';

beforeEach(resetEditor);

const PATH = '/work/weather.playground.json';
const FILE = Uri.file(PATH).toString();
const DOCUMENT = {
  messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
  tools: [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
  lanes: [
    { id: 'a', model: 'model-a' },
    { id: 'b', model: 'model-b' },
  ],
  evaluate: {
    repeat: 2,
    rows: [
      { id: 'oslo', city: 'Oslo' },
      { id: 'rome', city: 'Rome' },
    ],
  },
  expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] }],
};

interface Setting extends FakeExplorer {
  services: EvaluationServices;
  /** The sessions that were opened for the file, in order. */
  opened: Opened[];
  run: (include?: vscode.TestItem[], options?: { repeats?: number }) => Promise<void>;
  cancel: () => void;
}

function explore(setup: SessionSetup & { document?: object } = {}): Setting {
  const { document = DOCUMENT, ...rest } = setup;
  const explorer = fakeExplorer();
  const opened: Opened[] = [];
  const text = JSON.stringify(document, null, 2);
  writeFile(PATH, text);
  let shared: Promise<Opened> | undefined;
  const services = new EvaluationServices(explorer.controller, async () => {
    shared ??= openSession({ text, script: () => calling('get_weather'), ...rest });
    const one = await shared;
    opened.push(one);
    await one.until(() => one.session.environment !== undefined);
    return { session: one.session, text, release: () => undefined };
  });
  const cancelling = new Set<() => void>();
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: () => void) => {
      cancelling.add(listener);
      return { dispose: () => cancelling.delete(listener) };
    },
  };
  return {
    ...explorer,
    services,
    opened,
    run: (include, options = {}) =>
      services.run(
        { include, exclude: undefined } as unknown as vscode.TestRunRequest,
        token as unknown as vscode.CancellationToken,
        options,
      ),
    cancel: () => {
      token.isCancellationRequested = true;
      for (const listener of cancelling) listener();
    },
  };
}

const ended = ({ told }: Setting): string[] =>
  told.filter((line) => !/(enqueued|started)$/.test(line)).toSorted();

describe('the items', () => {
  test('are the files that expect something, and after a look into one its lanes and rows', async () => {
    writeFile('/work/chat.playground.json', JSON.stringify({ messages: [] }));
    writeFile('/work/tool.playground.json', JSON.stringify({ tools: [{ parameters: { expect: [1] } }] }));
    const explorer = explore();
    await explorer.services.resolve(undefined);
    expect(explorer.tree()).toEqual(['work/weather.playground.json']);
    await explorer.services.resolve(explorer.item(FILE));
    expect(explorer.tree()).toEqual([
      'work/weather.playground.json',
      '  model-a',
      '    oslo',
      '    rome',
      '  model-b',
      '    oslo',
      '    rome',
    ]);
  });

  test('stand where their part of the file does', async () => {
    const explorer = explore();
    await explorer.services.resolve(undefined);
    await explorer.services.resolve(explorer.item(FILE));
    const lines = JSON.stringify(DOCUMENT, null, 2).split('\n');
    const lineOf = (...ids: string[]): string | undefined =>
      lines[(explorer.item(...ids).range?.start as { line: number } | undefined)?.line ?? -1]?.trim();
    expect(lineOf(FILE)).toBe('"expect": [');
    const lane = explorer.item(FILE, 'b').range?.start.line ?? 0;
    expect(lines.slice(lane, lane + 2).map((line) => line.trim())).toEqual(['{', '"id": "b",']);
    const row = explorer.item(FILE, 'b', 'rome').range?.start.line ?? 0;
    expect(lines[row + 1]?.trim()).toBe('"id": "rome",');
  });

  test('have the reason for which a file cannot be evaluated', async () => {
    const explorer = explore({
      document: { ...DOCUMENT, messages: [{ role: 'user', content: '{{town}}' }] },
    });
    await explorer.services.resolve(undefined);
    await explorer.services.resolve(explorer.item(FILE));
    expect(explorer.item(FILE).error).toContain('town');
    expect(explorer.tree()).toHaveLength(1);
  });

  test('go with their file', async () => {
    const explorer = explore();
    await explorer.services.resolve(undefined);
    editor.files.delete(PATH);
    await explorer.services.resolve(undefined);
    expect(explorer.tree()).toEqual([]);
  });

  test('of many rows are few, and one for the rest, which has the worst state of these', async () => {
    const rows = Array.from({ length: 502 }, (_, index) => ({
      id: `${index}`,
      city: index === 500 ? 'Rome' : 'Oslo',
    }));
    const explorer = explore({ document: { ...DOCUMENT, evaluate: { repeat: 1, rows } } });
    editor.answers.push('Evaluate');
    await explorer.run();
    expect(explorer.tree()).toHaveLength(1 + 2 * 502);
    expect(explorer.tree().at(-1)).toBe('    2 more rows');
    expect(ended(explorer)).toContain('model-b 499: passed');
    expect(explorer.told.filter((line) => line.includes('more rows')).at(-1)).toBe(
      'model-b 2 more rows: failed',
    );
  });
});

describe('a run', () => {
  test('evaluates everything, and tells of each case how it came out', async () => {
    const explorer = explore();
    await explorer.run();
    expect(explorer.told.slice(0, 4)).toEqual([
      'model-a oslo: enqueued',
      'model-a rome: enqueued',
      'model-b oslo: enqueued',
      'model-b rome: enqueued',
    ]);
    expect(ended(explorer)).toEqual([
      'model-a oslo: passed',
      'model-a rome: failed',
      'model-b oslo: passed',
      'model-b rome: failed',
    ]);
    expect(explorer.opened[0]?.asked).toHaveLength(8);
    expect(explorer.runsEnded()).toBe(1);
    expect(explorer.output).toContain('model-a, rome: 0 of 2 passed\r\n');
  });

  test('groups the samples that failed alike, with what was expected and what came, at the expectation', async () => {
    const explorer = explore();
    await explorer.run();
    expect(explorer.messages).toHaveLength(2);
    expect(explorer.messages[0]).toMatchObject({
      message: '2 of 2 samples: get_weather: city is "Oslo"; expected "Rome".',
      contextValue: 'sample',
      location: { uri: { path: PATH } },
    });
    expect(explorer.messages[0]?.expectedOutput).toContain('Rome');
    expect(explorer.messages[0]?.actualOutput).toContain('Oslo');
  });

  test('sends only the samples of the chosen rows, and what is there already not again', async () => {
    const explorer = explore();
    await explorer.services.resolve(undefined);
    await explorer.services.resolve(explorer.item(FILE));
    await explorer.run([explorer.item(FILE, 'b', 'oslo')]);
    expect(explorer.opened[0]?.asked).toHaveLength(2);
    expect(ended(explorer)).toEqual(['model-b oslo: passed']);
    await explorer.run([explorer.item(FILE, 'b', 'oslo')]);
    expect(explorer.opened[0]?.asked).toHaveLength(2);
    expect(explorer.output).toContain('Every sample is there already, so nothing was sent.\r\n');
    await explorer.run([explorer.item(FILE, 'a')]);
    expect(explorer.opened[0]?.asked).toHaveLength(6);
  });

  test('of one sample a case judges what there is', async () => {
    const explorer = explore();
    await explorer.run(undefined, { repeats: 1 });
    expect(explorer.opened[0]?.asked).toHaveLength(4);
    expect(ended(explorer)).toContain('model-a oslo: passed');
    expect(ended(explorer)).toContain('model-a rome: failed');
  });

  test('of a document without rows has an item a lane', async () => {
    const document = { ...DOCUMENT, evaluate: { repeat: 1 }, expect: [{ calls: [{ tool: 'get_weather' }] }] };
    const explorer = explore({ document });
    await explorer.run();
    expect(explorer.tree()).toEqual(['work/weather.playground.json', '  model-a', '  model-b']);
    expect(ended(explorer)).toEqual(['model-a: passed', 'model-b: passed']);
  });

  test('asks before many samples are sent, and skips all when it is not confirmed', async () => {
    const document = { ...DOCUMENT, evaluate: { ...DOCUMENT.evaluate, repeat: 20 } };
    const explorer = explore({ document });
    editor.answers.push(undefined);
    await explorer.run();
    expect(editor.asked[0]?.[0]).toMatch(/^Evaluate .*\?$/);
    expect(JSON.stringify(editor.asked[0])).toContain('80');
    expect(explorer.opened[0]?.asked).toHaveLength(0);
    expect(new Set(ended(explorer).map((line) => line.split(': ')[1]))).toEqual(new Set(['skipped']));
    editor.answers.push('Evaluate');
    await explorer.run();
    expect(explorer.opened[0]?.asked).toHaveLength(80);
  });

  test('that is stopped keeps what came, and skips the rest', async () => {
    let sent = 0;
    const stopsAtThird: Script = () => {
      if (++sent === 3) explorer.cancel();
      return calling('get_weather');
    };
    const explorer = explore({ script: stopsAtThird, limit: 1 });
    await explorer.run();
    expect(ended(explorer).filter((line) => line.endsWith('skipped')).length).toBeGreaterThan(0);
    expect(explorer.opened[0]?.asked.length).toBeLessThan(8);
    expect(explorer.runsEnded()).toBe(1);
  });

  test('tells of every case what keeps the evaluation from starting', async () => {
    const explorer = explore();
    await explorer.services.resolve(undefined);
    await explorer.services.resolve(explorer.item(FILE));
    const [one] = explorer.opened;
    one?.backing.replace(JSON.stringify({ ...DOCUMENT, messages: [] }));
    await explorer.run([explorer.item(FILE, 'a')]);
    expect(ended(explorer)).toEqual(['model-a oslo: errored', 'model-a rome: errored']);
    expect(explorer.messages[0]?.message).toMatch(/^There is no message to send/);
  });
});

describe('an evaluation for another extension', () => {
  test('returns what was counted of the chosen lanes and rows', async () => {
    const explorer = explore();
    const uri = Uri.file(PATH) as unknown as vscode.Uri;
    const summary = await explorer.services.evaluate({ uri, lanes: ['b'], rows: ['rome'] });
    expect(summary).toMatchObject({ failed: 2, passed: 0, notRun: 6 });
    expect(await explorer.services.evaluate({ uri })).toMatchObject({ failed: 4, passed: 4, notRun: 0 });
    expect(explorer.opened[0]?.asked).toHaveLength(8);
  });
});
