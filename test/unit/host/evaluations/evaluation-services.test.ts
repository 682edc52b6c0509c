// Evaluations in the Test Explorer, on scripted providers: what is run, told, sent and shown.
import { beforeEach, describe, expect, test } from 'vitest';
import type * as vscode from 'vscode';
import type { Script } from '../../../support/session/scripted-session';
import { calling } from '../../../support/session/scripted-session';
import { editor, resetEditor, Uri } from '../../../support/vscode/vscode-files';
import type { Setting } from './explore';
import { DOCUMENT, ended, explore, exploreStopped, FILE, PATH } from './explore';

const ONE_LANE = { ...DOCUMENT, lanes: [{ id: 'a', model: 'model-a' }] };

beforeEach(resetEditor);

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
    expect(explorer.output.join('')).toContain(
      [
        'model-a, rome: 0 of 2 passed',
        '  2 of 2 samples: get_weather: city is "Oslo"; expected "Rome".',
        '',
      ].join('\r\n'),
    );
    expect(explorer.output.join('')).toMatch(
      /^model-a, rome, sample 2: failed \(\d+ ms\)\. get_weather: city is "Oslo"; expected "Rome"\.\r$/m,
    );
  });

  test('groups the samples that failed alike, with what was expected and what came, at the expectation', async () => {
    const explorer = explore();
    await explorer.run();
    expect(explorer.messages).toHaveLength(2);
    expect(explorer.messages[0]).toMatchObject({
      message: '2 of 2 samples: get_weather: city is "Oslo"; expected "Rome".',
      contextValue: 'providerPlayground.sample 1 0',
      location: { uri: { path: PATH } },
    });
    expect(explorer.messages[0]?.expectedOutput).toContain('Rome');
    expect(explorer.messages[0]?.actualOutput).toContain('Oslo');
  });

  test('sends only the samples of the chosen rows, and what is there already not again', async () => {
    const explorer = explore();
    await explorer.open();
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
    expect(explorer.tree()).toEqual(['folder/weather.playground.json', '  model-a', '  model-b']);
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

  test('asks before a few samples use up a quota', async () => {
    const explorer = explore({ ofQuota: ['demo'] });
    editor.answers.push(undefined);
    await explorer.run();
    expect(JSON.stringify(editor.asked[0])).toContain('quota');
    expect(explorer.opened[0]?.asked).toHaveLength(0);
    editor.answers.push('Evaluate');
    await explorer.run();
    expect(explorer.opened[0]?.asked).toHaveLength(8);
  });

  test('that is stopped keeps what came, and skips the rest', async () => {
    const explorer = exploreStopped({ document: ONE_LANE });
    await explorer.run();
    expect(ended(explorer)).toEqual(['model-a oslo: passed', 'model-a rome: failed']);
    // The third sample was under way.
    expect(explorer.opened[0]?.asked).toHaveLength(3);
    expect(explorer.item(FILE, 'a', 'oslo').description).toBe('1 of 2 samples');
    const output = explorer.output.join('');
    expect(output).toContain('model-a, oslo: 1 of 1 passed, 1 of 2 samples not run\r\n');
    expect(output).toMatch(
      /Ended early: stopped by you\r\n2 of 4 samples ran\. Each is kept: another run sends the rest\.\r\n$/,
    );
    expect(explorer.runsEnded()).toBe(1);
  });

  test('after a stop sends the rest alone', async () => {
    const explorer = exploreStopped({ document: ONE_LANE });
    await explorer.run();
    explorer.renew();
    await explorer.run();
    expect(explorer.opened[0]?.asked).toHaveLength(5);
    expect(explorer.item(FILE, 'a', 'oslo').description).toBe('');
  });

  test('that is stopped before a case has begun skips it', async () => {
    const stops: Script = () => {
      explorer.cancel();
      return new Promise(() => undefined);
    };
    const explorer = explore({ script: stops, limit: 1, document: ONE_LANE });
    await explorer.run();
    expect(ended(explorer)).toEqual(['model-a oslo: skipped', 'model-a rome: skipped']);
    expect(explorer.output.join('')).toContain('model-a, rome: not run\r\n');
  });

  test('tells of every case what keeps the evaluation from starting', async () => {
    const explorer = explore();
    await explorer.open();
    const [one] = explorer.opened;
    one?.backing.replace(JSON.stringify({ ...DOCUMENT, messages: [] }));
    await explorer.run([explorer.item(FILE, 'a')]);
    expect(ended(explorer)).toEqual(['model-a oslo: errored', 'model-a rome: errored']);
    expect(explorer.messages[0]?.message).toMatch(/^There is no message to send/);
  });
});

describe('an item', () => {
  test('is shown in the panel: a row as its case, a lane and a file as the evaluation', async () => {
    const { services, open, item, shown } = explore();
    await open();
    await services.showItem(item(FILE, 'b', 'rome'));
    await services.showItem(item(FILE, 'b'));
    await services.showItem(item(FILE));
    expect(shown).toEqual([
      { kind: 'case', rowId: 'rome', laneId: 'b' },
      { kind: 'evaluation' },
      { kind: 'evaluation' },
    ]);
    await services.showItem(undefined);
    expect(editor.asked[0]?.[0]).toBe('The sample is no longer there. Evaluate again.');
  });
});

describe('a run of one sample', () => {
  test('shows it', async () => {
    const explorer = explore();
    await explorer.open();
    await explorer.run([explorer.item(FILE, 'b', 'rome')], { repeats: 1 });
    expect(explorer.shown).toEqual([{ kind: 'case', rowId: 'rome', laneId: 'b', repeat: 1 }]);
    await explorer.run([explorer.item(FILE, 'b')], { repeats: 1 });
    expect(explorer.shown).toHaveLength(1);
  });
});

describe('a run that never ends by itself', () => {
  test('is not waited for longer than a moment once it is stopped', async () => {
    const explorer = explore({ script: () => new Promise(() => undefined) });
    const done = explorer.run();
    await expect.poll(() => explorer.opened[0]?.asked.length).toBeGreaterThan(0);
    explorer.cancel();
    await done;
    expect(new Set(ended(explorer).map((line) => line.split(': ')[1]))).toEqual(new Set(['skipped']));
  });
});

describe('the editor of the file', () => {
  test('is offered what a run came to: all of it, or the only case that failed', async () => {
    const explorer = explore();
    await explorer.open();
    await explorer.run();
    await explorer.run([explorer.item(FILE, 'a')]);
    await explorer.run([explorer.item(FILE, 'a', 'oslo')]);
    expect(explorer.offered).toEqual([
      { kind: 'evaluation' },
      { kind: 'case', rowId: 'rome', laneId: 'a' },
      { kind: 'evaluation' },
    ]);
    expect(explorer.shown).toEqual([]);
  });
});

describe('a run in steps', () => {
  const agent = { ...DOCUMENT, tools: [{ ...DOCUMENT.tools[0], mocks: [{ result: 'cold' }] }] };

  test('shows the lane, in which an agent pauses with the variables of the row, until it is stopped', async () => {
    const explorer = explore({ document: agent });
    await explorer.open();
    const request = { include: [explorer.item(FILE, 'b', 'rome')] } as unknown as vscode.TestRunRequest;
    const done = explorer.services.step(request, explorer.token);
    await expect.poll(() => explorer.opened[0]?.asked.length).toBe(1);
    const [opened] = explorer.opened;
    await opened?.until(() => opened.session.laneSnapshot('b', undefined)?.run?.phase === 'paused');
    expect(explorer.shown).toEqual([{ kind: 'lane', laneId: 'b' }]);
    expect(opened?.asked[0]?.messages.at(-1)?.content).toBe('What is the weather in Rome?');
    explorer.cancel();
    await done;
    expect(explorer.told).toEqual(['model-b rome: started', 'model-b rome: skipped']);
    expect(explorer.runsEnded()).toBe(1);
  });

  test('leaves an item as its evaluation has it', async () => {
    const explorer = explore({ document: agent });
    await explorer.open();
    const include = [explorer.item(FILE, 'b', 'oslo')];
    await explorer.run(include);
    const done = explorer.services.step({ include } as unknown as vscode.TestRunRequest, explorer.token);
    const [opened] = explorer.opened;
    await opened?.until(() => opened.session.laneSnapshot('b', undefined)?.run?.phase === 'paused');
    explorer.cancel();
    await done;
    expect(explorer.told.slice(-2)).toEqual(['model-b oslo: started', 'model-b oslo: passed']);
  });
});

describe('a run on save', () => {
  const [first, second] = DOCUMENT.lanes;
  const lanes = [first, { ...second, connection: 'far' }];
  const mixed = { document: { ...DOCUMENT, lanes }, hosted: ['far'] };
  const runOnSave = ({ services, token }: Setting, continuous: boolean): Promise<void> =>
    services.runOnSave({ continuous } as unknown as vscode.TestRunRequest, token);

  test.each([
    ['that may cost something', mixed],
    ['that uses up a quota', { ...mixed, hosted: [], ofQuota: ['far'] }],
  ])('sends nothing to a lane %s', async (_title, setup) => {
    const explorer = explore(setup);
    await runOnSave(explorer, false);
    expect(new Set(explorer.opened[0]?.asked.map(({ model }) => model))).toEqual(new Set(['model-a']));
    expect(ended(explorer)).toEqual(['model-a oslo: passed', 'model-a rome: failed']);
  });

  test('begins with a save, without asking, and ends with its cancellation', async () => {
    const document = { ...mixed.document, evaluate: { ...DOCUMENT.evaluate, repeat: 30 } };
    const explorer = explore({ ...mixed, document });
    await explorer.open();
    await runOnSave(explorer, true);
    editor.saved.fire({ uri: Uri.file('/folder/other.json') });
    expect(explorer.told).toEqual([]);
    editor.saved.fire({ uri: Uri.file(PATH) });
    await expect.poll(() => explorer.runsEnded()).toBe(1);
    expect(ended(explorer)).toEqual(['model-a oslo: passed', 'model-a rome: failed']);
    expect(editor.asked).toEqual([]);
    explorer.cancel();
    editor.saved.fire({ uri: Uri.file(PATH) });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(explorer.runs).toHaveLength(1);
  });
});

describe('a command on a message', () => {
  let asked = 0;
  const failsSecond: Script = () => (++asked % 2 === 0 ? { content: 'Cold.' } : calling('get_weather'));
  async function evaluated(setup: Parameters<typeof explore>[0] = {}): Promise<Setting & { target: object }> {
    asked = 0;
    const document = { ...DOCUMENT, lanes: DOCUMENT.lanes.slice(0, 1) };
    const explorer = explore({ document, script: failsSecond, limit: 1, ...setup });
    await explorer.open();
    const item = explorer.item(FILE, 'a', 'oslo');
    await explorer.run([item]);
    return { ...explorer, target: { test: item, message: explorer.messages[0] } };
  }

  test('opens the failing sample', async () => {
    const { services, target, shown } = await evaluated();
    await services.act('open', target);
    expect(shown).toEqual([{ kind: 'case', rowId: 'oslo', laneId: 'a', repeat: 2 }]);
  });

  test('finds the sample itself where the editor gives the case alone', async () => {
    const explorer = await evaluated();
    await explorer.services.act('open', explorer.item(FILE, 'a', 'oslo'));
    expect(explorer.shown).toEqual([{ kind: 'case', rowId: 'oslo', laneId: 'a', repeat: 2 }]);
    await explorer.services.act('copy', explorer.item(FILE, 'a', 'rome'));
    expect(editor.asked[0]?.[0]).toBe('The sample is no longer there. Evaluate again.');
  });

  test('compares what came with what came of a passing sample', async () => {
    const { services, target, compared } = await evaluated();
    await services.act('compare', target);
    expect(compared).toMatchObject([
      { title: 'oslo: sample 1 ↔ sample 2', left: { text: expect.stringContaining('Oslo') as string } },
    ]);
    expect(compared[0]?.right.text).not.toContain('Oslo');
  });

  test('says that no sample passed', async () => {
    const { services, target, compared } = await evaluated({ script: () => ({ content: 'Cold.' }) });
    await services.act('compare', target);
    expect(compared).toEqual([]);
    expect(editor.asked[0]?.[0]).toMatch(/^No sample of this row passed in this lane\./);
  });

  test('copies an expectation that the reply meets', async () => {
    const { services, target } = await evaluated();
    await services.act('copy', target);
    expect(JSON.parse(editor.clipboard)).toEqual({ calls: [], text: 'Cold.' });
  });

  test('says that a message of an earlier tree leads nowhere', async () => {
    const { services } = await evaluated();
    await services.act('open', {});
    expect(editor.asked[0]?.[0]).toBe('The sample is no longer there. Evaluate again.');
  });
});

describe('an evaluation for another extension', () => {
  test('returns what was counted of the chosen lanes and rows', async () => {
    const explorer = explore();
    const uri = Uri.file(PATH) as unknown as vscode.Uri;
    const part = await explorer.services.evaluate({ uri, lanes: ['b'], rows: ['rome'] });
    expect(part?.summary).toMatchObject({ failed: 2, passed: 0, notRun: 6 });
    const whole = await explorer.services.evaluate({ uri });
    expect(whole?.summary).toMatchObject({ failed: 4, passed: 4, notRun: 0 });
    expect(explorer.opened[0]?.asked).toHaveLength(8);
  });
});
