// What a run was set to: made when it begins, stored beside it, and read back from there.
import { describe, expect, test } from 'vitest';
import { PROVIDER_CATALOG } from '../../../src/library';
import type { Journal } from '../../../src/session';
import {
  deleteRuns,
  exportedRun,
  MemoryRunStore,
  playgroundOfRun,
  readRun,
  storedRuns,
} from '../../../src/session';
import { setupKey } from '../../../src/session/journal/run-lines';
import { calling, inTurn, MemoryBacking } from '../../support/session/scripted-session';
import type { SessionSetup } from '../../support/session/scripted-session';
import { open, QUESTION, send, toText, withTool } from './weather';

const KEY = 'canary-0123456789-canary';
const LANE = {
  id: 'a',
  connection: 'demo',
  model: 'm',
  sampling: { temperature: 0 },
  rescueToolCalls: false,
  limits: { maxSteps: 3 },
};
const DOCUMENT = { system: 'Be brief.', ...withTool([{ result: 'mild' }]), lanes: [LANE] };

async function openStored(setup: SessionSetup = {}) {
  const store = new MemoryRunStore();
  const one = await open({ text: toText(DOCUMENT), store, ...setup });
  const reopen = async (): Promise<Journal> => {
    await one.session.flush();
    return store.open('test');
  };
  const idsOf = () => one.runs().map(({ id }) => id);
  return { one, store, reopen, idsOf };
}

describe('the setup of a run', () => {
  test('is stored with it and read back: settings, tools with mocks, and the conversation', async () => {
    const { one, reopen, idsOf } = await openStored();
    await send(one, QUESTION);
    await one.settled();
    const [runId = ''] = idsOf();
    const whole = await readRun(await reopen(), runId);
    expect(whole?.setup).toMatchObject({
      id: whole?.record.setup,
      connection: { id: 'demo', label: 'Demo', origin: 'demo' },
      model: 'm',
      sampling: { temperature: 0 },
      rescueToolCalls: false,
      limits: { maxSteps: 3 },
      system: 'Be brief.',
      tools: [{ name: 'get_weather', mocks: [{ result: 'mild' }] }],
      messages: [{ role: 'user', content: QUESTION }],
    });
    expect(whole && exportedRun('Run', whole).setup).toEqual(whole?.setup);
  });

  test('is shown and compared in place of the present settings', async () => {
    const { one, idsOf } = await openStored();
    await send(one, QUESTION);
    await one.settled();
    const changed = [{ ...LANE, model: 'other', sampling: { temperature: 1 }, rescueToolCalls: true }];
    one.backing.replace(toText({ ...DOCUMENT, lanes: changed }));
    const place = { laneId: 'a', runId: idsOf()[0] ?? '' };
    const { left } = await one.session.past.comparison([place, place], 'lane', 'raw');
    expect(JSON.parse(left.text)).toMatchObject({
      connection: 'demo',
      model: 'm',
      sampling: { temperature: 0 },
      rescueToolCalls: false,
    });
  });

  test('is exported with every step that led to the run, in place of the present document', async () => {
    const script = inTurn(calling('get_weather'), { content: 'Mild.' });
    const { one, idsOf } = await openStored({ script });
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: QUESTION });
    await one.settled();
    one.backing.replace(toText({ ...DOCUMENT, system: 'Be long.', lanes: [{ ...LANE, model: 'other' }] }));
    const exported = await one.session.past.exported({ laneId: 'a', runId: idsOf().at(-1) ?? '' });
    expect(exported).toMatchObject({
      model: 'm',
      setup: { system: 'Be brief.', sampling: { temperature: 0 } },
      ending: { stopReason: 'answer', steps: 2 },
      steps: [{ title: 'Lane 1', calls: [{ name: 'get_weather' }], setup: { system: 'Be brief.' } }],
    });
    expect(await one.session.past.exported({ laneId: 'a', runId: idsOf()[0] ?? '' })).not.toHaveProperty(
      'steps',
    );
  });

  test('is read by all steps of an agent run, whatever is changed meanwhile, and stored once', async () => {
    const script = inTurn(calling('get_weather'), calling('get_weather'), { content: 'Mild.' });
    const { one, reopen, idsOf } = await openStored({ script });
    const run = { laneIds: ['a'], kind: 'agent' as const, text: QUESTION, isStepMode: true };
    const isPaused = () => one.session.laneSnapshot('a', undefined)?.run?.phase === 'paused';
    await one.ask('run/start', run);
    await one.until(isPaused);
    const lanes = [{ ...LANE, model: 'other', limits: { maxSteps: 1 } }];
    one.backing.replace(toText({ system: 'Shout.', ...withTool([{ error: 'off' }]), lanes }));
    await one.ask('run/continue', { laneId: 'a', isStepMode: false, text: 'And now?' });
    await one.settled();
    expect(one.asked.map(({ model, messages }) => [model, messages[0]?.content])).toEqual(
      Array.from({ length: 3 }, () => ['m', 'Be brief.']),
    );
    expect(one.asked[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'And now?' });
    expect(one.runs().map(({ results }) => results[0]?.content)).toEqual(['mild', 'mild', undefined]);
    const journal = await reopen();
    const records = await Promise.all(idsOf().map((id) => readRun(journal, id)));
    expect(new Set(records.map((whole) => whole?.setup?.id)).size).toBe(1);
    expect(records[0]?.setup?.system).toBe('Be brief.');
  });

  test('contains no key, neither in the journal nor in an export', async () => {
    const text = toText({ ...DOCUMENT, system: `Never say ${KEY}.` });
    const { one, reopen, idsOf } = await openStored({
      text,
      secrets: [KEY],
      script: () => ({ content: KEY }),
    });
    await send(one, QUESTION);
    await one.settled();
    await send(one, 'Again?');
    await one.settled();
    expect(one.asked[0]?.messages[0]?.content).toContain(KEY);
    const journal = await reopen();
    for (const runId of idsOf()) {
      const whole = await readRun(journal, runId);
      expect(whole?.setup?.system).toMatch(/^Never say \*+\.$/);
      expect(JSON.stringify([whole, journal.lines])).not.toContain('canary');
    }
  });

  test('is known of a run that was interrupted', async () => {
    const script = (): Promise<never> => new Promise(() => undefined);
    const { one, store } = await openStored({ script });
    await send(one, QUESTION);
    await one.until(() => one.asked.length === 1);
    await one.session.flush();
    await one.session.dispose();
    const again = await open({ text: one.backing.text, store });
    const place = { laneId: 'a', runId: again.runs()[0]?.id ?? '' };
    const { record, setup } = await again.session.past.whole(place);
    expect(record.verdict.kind).toBe('interrupted');
    expect(setup).toMatchObject({ model: 'm', messages: [{ content: QUESTION }] });
    expect(
      JSON.parse(playgroundOfRun({ record, wire: undefined, setup }, PROVIDER_CATALOG).text),
    ).toMatchObject({
      messages: [{ content: QUESTION }],
    });
  });

  test('is deleted with the last run that has it', async () => {
    const { one, reopen, idsOf } = await openStored({
      script: inTurn(calling('get_weather'), { content: 'Mild.' }),
    });
    await one.ask('run/start', { laneIds: ['a'], kind: 'agent', text: QUESTION });
    await one.settled();
    const [first = '', last = ''] = idsOf();
    const id = (await readRun(await reopen(), first))?.setup?.id ?? '';
    deleteRuns(await reopen(), [first]);
    expect((await readRun(await reopen(), last))?.setup?.id).toBe(id);
    const journal = await reopen();
    deleteRuns(journal, [last]);
    expect(await journal.readBody(setupKey(id))).toBeUndefined();
  });
});

test('of a run of an earlier version, what it was set to is not known', async () => {
  const { one, store, reopen, idsOf } = await openStored();
  await send(one, QUESTION);
  await one.settled();
  const [runId = ''] = idsOf();
  const journal = await reopen();
  const { record, wire } = (await readRun(journal, runId)) ?? {};
  const { setup: _setup, hasRates: _rates, rescueToolCalls: _rescue, ...old } = record ?? {};
  const kept = journal.lines.filter(({ kind }) => kind !== 'setup');
  const written = await store.open('earlier');
  for (const line of kept) {
    const body = line.kind === 'ended' ? { key: `run:${runId}`, value: old } : undefined;
    written.append(line, line.kind === 'wire' ? { key: `+wire:${runId}`, value: wire } : body);
  }
  await written.close();
  const again = await open({ store, backing: new MemoryBacking(toText(DOCUMENT), 'earlier') });
  const place = { laneId: 'a', runId };
  expect(again.runs()[0]?.outcome).toMatchObject({ verdict: { kind: 'none' } });
  const { left } = await again.session.past.comparison([place, place], 'lane', 'raw');
  expect(left.text).toBe('The settings of this run are not known.\n');
  const exported = await again.session.past.exported(place);
  expect(exported).not.toHaveProperty('setup');
  expect(storedRuns(await store.read('earlier'))).toHaveLength(1);
});
