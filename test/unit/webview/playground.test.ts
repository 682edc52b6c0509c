import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boxText } from '../../../webview/actions/typed-fields';
import { fieldKey } from '../../../webview/lanes/lane-fields';
import { FAILURE, openPanel, settle } from './open-panel';
import { MESSAGE_KEY } from '../../../webview/state/view-state';
import {
  laneIn,
  toDocument,
  toLane,
  toMessage,
  toOutcome,
  toProgress,
  toReply,
  toRun,
  toRunState,
  toSnapshot,
} from './samples';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Playground', () => {
  it('opens the session and shows its snapshot', async () => {
    const { playground, sent } = openPanel({ a: { entries: [toMessage('m1')] }, b: {} });
    await playground.start();
    expect(sent('session/open')).toHaveLength(1);
    expect(playground.state.session.laneIds).toEqual(['a', 'b']);
    expect(laneIn(playground.state).order).toEqual(['m1']);
  });

  it('keeps the error of a session that could not be opened, and can open it again', async () => {
    let isBroken = true;
    const { playground, host } = openPanel(
      {},
      {
        handlers: {
          'session/open': () => (isBroken ? Promise.reject(new Error()) : Promise.resolve(host.snapshot)),
        },
      },
    );
    await playground.start();
    expect(playground.state.openError).toEqual(FAILURE);
    isBroken = false;
    await playground.start();
    expect(playground.state.openError).toBeUndefined();
  });

  it('applies changes that arrive while the session is being opened', async () => {
    const { playground, emit, host } = openPanel();
    const opening = playground.start();
    host.snapshot = toSnapshot({ a: { entries: [toMessage('m1')] } });
    const lane = { id: 'a', version: 2, since: 1, entries: [toMessage('m2')], order: ['m2'], run: null };
    void emit({ lanes: [lane] });
    await opening;
    await settle();
    expect(laneIn(playground.state).order).toEqual(['m2']);
  });

  it('shows the run that the host wants to be shown, as soon as a lane has it', async () => {
    const { playground, server, emit } = openPanel({ a: { entries: [] }, b: { entries: [toMessage('m')] } });
    playground.setView({ view: 'tools' });
    server.emit('panel/show', { kind: 'run', runId: 'r1' });
    await playground.start();
    expect(playground.state.view.view).toBe('tools');
    const lane = { id: 'b', version: 2, since: 1, entries: [toRun('r1')], order: ['m', 'r1'], run: null };
    await emit({ lanes: [lane] });
    const wanted = { view: 'chat', laneId: 'b', selection: { laneId: 'b', runId: 'r1' } };
    expect(playground.state.view).toMatchObject(wanted);
  });

  it('shows the lane, or the sample of an evaluation, that the host wants to be shown', async () => {
    const { playground, server } = openPanel({ a: {}, b: {} });
    await playground.start();
    server.emit('panel/show', { kind: 'case', rowId: 'oslo', laneId: 'b', repeat: 3 });
    await settle();
    const { view, evaluate } = playground.state;
    expect([view.view, evaluate]).toMatchObject([
      'evaluate',
      { cell: { rowId: 'oslo', laneId: 'b' }, repeat: 3, isFirstTab: true },
    ]);
    server.emit('panel/show', { kind: 'case', rowId: 'rome', laneId: 'a' });
    await settle();
    expect(playground.state.evaluate).toEqual({
      filter: 'all',
      isFirstTab: true,
      cell: { rowId: 'rome', laneId: 'a' },
    });
    server.emit('panel/show', { kind: 'lane', laneId: 'a' });
    await settle();
    expect(playground.state.view).toMatchObject({ view: 'chat', laneId: 'a' });
  });

  it('shows the stored evaluation that the host wants to be shown, with its baseline', async () => {
    const { playground, server, emit, sent } = openPanel({ a: {} });
    const shown = { id: 'e2', baselineId: 'e1' };
    server.emit('panel/show', { kind: 'evaluation', shown });
    await playground.start();
    expect(sent('evaluation/show')).toEqual([]);
    await emit({ evaluation: { version: 2, stored: [] } as never });
    expect(sent('evaluation/show')).toEqual([shown]);
    expect(playground.state.view.view).toBe('evaluate');
  });

  it('requests one full snapshot when changes were lost', async () => {
    const { playground, emit, sent, host } = openPanel();
    await playground.start();
    host.snapshot = toSnapshot({ a: { entries: [toMessage('m1')] } });
    const lane = { id: 'a', version: 9, since: 8, entries: [], run: null };
    await Promise.all([emit({ lanes: [lane] }), emit({ lanes: [{ ...lane, version: 10, since: 9 }] })]);
    expect(sent('session/open').length).toBeLessThanOrEqual(3);
    expect(laneIn(playground.state).order).toEqual(['m1']);
  });

  it('runs every lane with the text in the box, and empties it', async () => {
    const { playground, sent } = openPanel({ a: {}, b: {} });
    await playground.start();
    playground.fields.type(MESSAGE_KEY, 'Is it cold?');
    await playground.run();
    expect(sent('run/start')).toEqual([{ laneIds: ['a', 'b'], kind: 'chat', text: 'Is it cold?' }]);
    expect(sent('message/draft')).toEqual([]);
    expect(boxText(playground.state)).toBe('');
  });

  it('leaves out lanes for which something invalid was typed', async () => {
    const { playground, sent } = openPanel({ a: {}, b: {}, c: {} });
    await playground.start();
    playground.fields.type(fieldKey('sampling.temperature', 'b'), 'hot');
    playground.fields.type(MESSAGE_KEY, 'Is it cold?');
    await playground.run();
    expect(sent('run/start')).toEqual([
      { laneIds: ['a', 'b', 'c'], kind: 'chat', text: 'Is it cold?', leftOut: ['b'] },
    ]);
  });

  it('runs the lane that is selected beside the box', async () => {
    const { playground, sent } = openPanel({ a: {}, b: {} });
    await playground.start();
    playground.setView({ target: 'b' });
    playground.fields.type(MESSAGE_KEY, 'Hello');
    await playground.run(undefined, { kind: 'agent', isStepMode: true });
    expect(sent('run/start')).toEqual([{ laneIds: ['b'], kind: 'agent', text: 'Hello', isStepMode: true }]);
  });

  it('says why it does not run', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    await playground.run();
    expect(sent('run/start')).toEqual([]);
    expect(playground.state.notice).toBe('Write a message to run.');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(playground.state.notice).toBe('');
  });

  it('restores the text when the run is refused', async () => {
    const refuse = () => Promise.reject(new Error('no'));
    const { playground } = openPanel({ a: {} }, { handlers: { 'run/start': refuse } });
    await playground.start();
    playground.fields.type(MESSAGE_KEY, 'Is it cold?');
    await playground.run();
    expect(boxText(playground.state)).toBe('Is it cold?');
    expect(playground.state.notice).toBe('It failed. Do it again.');
  });

  it('sends changed settings before it runs', async () => {
    const order: string[] = [];
    const { playground } = openPanel(
      { a: {} },
      {
        handlers: {
          'document/edit': () => {
            order.push('edited');
            return Promise.resolve(null);
          },
          'run/start': () => {
            order.push('run');
            return Promise.resolve(null);
          },
        },
      },
    );
    await playground.start();
    playground.fields.type(MESSAGE_KEY, 'Hello');
    playground.fields.type(fieldKey('sampling.seed', 'a'), '7');
    await playground.run();
    expect(order).toEqual(['edited', 'run']);
  });

  it('does not run with an invalid field', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    playground.fields.type(MESSAGE_KEY, 'Hello');
    playground.fields.type(fieldKey('sampling.seed', 'a'), 'seven');
    await playground.run();
    expect(sent('run/start')).toEqual([]);
    expect(playground.state.notice).toBe('Seed must be a whole number.');
  });

  it('runs the last step again, replays, stops and continues', async () => {
    const { playground, sent } = openPanel({ a: { entries: [toMessage('m')] } });
    await playground.start();
    await playground.runAgain('a', { kind: 'agent' });
    expect(sent('run/start')).toEqual([{ laneIds: ['a'], kind: 'agent', isRepeat: true }]);
    await playground.replay('a');
    expect(sent('run/replay')).toEqual([{ laneIds: ['a'], kind: 'chat' }]);
    await playground.stop();
    await playground.stop(['a']);
    expect(sent('run/stop')).toEqual([{}, { laneIds: ['a'] }]);
    playground.setView({ stepTexts: new Map([['a', 'Hurry.']]) });
    await playground.continueRun('a', true);
    await playground.continueRun('a', false);
    expect(sent('run/continue')).toEqual([
      { laneId: 'a', isStepMode: true, text: 'Hurry.' },
      { laneId: 'a', isStepMode: false },
    ]);
  });

  it('keeps the message for the next step when it is refused', async () => {
    const { playground } = openPanel(
      { a: {} },
      { handlers: { 'run/continue': () => Promise.reject(new Error()) } },
    );
    await playground.start();
    playground.setView({ stepTexts: new Map([['a', 'Hurry.']]) });
    await playground.continueRun('a', true);
    expect(playground.state.view.stepTexts.get('a')).toBe('Hurry.');
    expect(playground.state.notice).toBe('It failed. Do it again.');
  });

  it('sends a changed message in place of the old one', async () => {
    const { playground, sent } = openPanel({ a: { entries: [toMessage('m1')] } });
    await playground.start();
    playground.setView({ edit: { laneId: 'a', entryId: 'm1', text: ' ' } });
    await playground.resend();
    playground.setView({ edit: { laneId: 'a', entryId: 'm1', text: 'How cold?' } });
    await playground.resend();
    expect(sent('message/resend')).toEqual([{ laneId: 'a', entryId: 'm1', text: 'How cold?', kind: 'chat' }]);
    expect(playground.state.view.edit).toBeUndefined();
  });

  it('makes a new lane the current one', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    await playground.addLane({ copyOf: 'a', change: { rescueToolCalls: false } });
    expect(sent('lane/add')).toEqual([{ copyOf: 'a', change: { rescueToolCalls: false } }]);
    expect(playground.state.view.laneId).toBe('new');
  });

  it('writes default values into the document before it embeds', async () => {
    const { playground, sent } = openPanel(
      { a: {} },
      {
        handlers: { 'connection/models': () => Promise.resolve({ models: [], embedModel: 'demo-embed' }) },
      },
    );
    await playground.start();
    await playground.readModels('demo');
    await playground.embed();
    expect(sent('document/edit')).toMatchObject([
      { edits: [{ path: ['embedding'], value: { connection: 'demo', model: 'demo-embed' } }] },
    ]);
    expect(sent('embedding/run')).toEqual([{}]);
  });

  it('starts a run without waiting for the typed settings to arrive, because the panel may be hidden before', async () => {
    const { playground, sent } = openPanel(
      { a: { entries: [toMessage('m1')], next: 'reply' } },
      { handlers: { 'document/edit': () => new Promise(() => {}) } },
    );
    await playground.start();
    playground.fields.type(fieldKey('sampling.seed', 'a'), '7');
    void playground.run(['a']);
    await settle();
    expect(sent('document/edit')).toHaveLength(1);
    expect(sent('run/start')).toEqual([{ laneIds: ['a'], kind: 'chat' }]);
  });

  it('embeds without waiting for the typed texts to arrive, because the panel may be hidden before', async () => {
    const form = { connection: 'demo', model: 'demo-embed', texts: ['Snow.'] };
    const document = toDocument([toLane('a')], {}, { embedding: form });
    const { playground, host, sent } = openPanel(
      { a: {} },
      { handlers: { 'document/edit': () => new Promise(() => {}) } },
    );
    host.snapshot = { ...host.snapshot, document };
    await playground.start();
    playground.fields.type('embedding.texts.0', 'Rain.');
    void playground.embed();
    await settle();
    expect(sent('document/edit')).toHaveLength(1);
    expect(sent('embedding/run')).toEqual([{}]);
  });

  it('embeds what is typed, although the document does not have it yet', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    playground.fields.type('embedding.model', 'demo-embed');
    playground.fields.type('embedding.texts.0', 'Rain.');
    await playground.embed();
    expect(sent('document/edit').at(-1)).toMatchObject({
      edits: [
        {
          value: {
            model: 'demo-embed',
            texts: ['Rain.', expect.stringContaining('In Oslo'), expect.stringContaining('invoice')],
          },
        },
      ],
    });
    expect(sent('embedding/run')).toEqual([{}]);
  });

  it('keeps the reason why a list of models could not be read', async () => {
    const { playground } = openPanel(
      { a: {} },
      {
        handlers: { 'connection/models': () => Promise.reject(new Error('no')) },
      },
    );
    await playground.start();
    await playground.readModels('demo');
    expect(playground.state.models.get('demo')).toEqual({ status: 'failed', models: [], error: FAILURE });
  });

  it('applies the progress of a lane, and ticks only while one runs', async () => {
    const { playground, server, emit } = openPanel({ a: { entries: [toRun('r1')], run: toRunState('r1') } });
    await playground.start();
    server.emit('run/progress', { laneId: 'a', progress: toProgress('r1') });
    await settle();
    expect(laneIn(playground.state).progress).toEqual(toProgress('r1'));
    const { now } = playground.state;
    vi.advanceTimersByTime(1000);
    expect(playground.state.now).toBe(now + 1000);
    const entries = [toRun('r1', toOutcome('r1', toReply('Cold.')))];
    await emit({ lanes: [{ id: 'a', version: 2, since: 1, entries, run: null }] });
    const state = playground.state;
    vi.advanceTimersByTime(1000);
    expect(playground.state).toBe(state);
  });

  it('stores the view, and nothing of the session', async () => {
    const first = openPanel({ a: { entries: [toMessage('m1', 'A secret plan')] } });
    await first.playground.start();
    first.playground.setView({ tab: 'attempts', laneId: 'a' });
    vi.advanceTimersByTime(1000);
    expect(JSON.stringify(first.saved)).not.toContain('A secret plan');
    const second = openPanel({ a: {} }, { stored: first.saved.at(-1) });
    expect(second.playground.state.view).toMatchObject({ tab: 'attempts', laneId: 'a' });
  });

  it('shows the embeddings view for a document with only an embedding, unless a view was stored', async () => {
    const document = toDocument([toLane('a')], {}, { embedding: { texts: ['a', 'b'] } });
    for (const [stored, view] of [
      [undefined, 'embeddings'],
      [{ version: 2, view: 'chat' }, 'chat'],
    ] as const) {
      const { playground, host } = openPanel({ a: {} }, { stored });
      host.snapshot = { ...host.snapshot, document };
      await playground.start();
      expect(playground.state.view.view).toBe(view);
    }
  });
});
