import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ClientFrame, RequestHandlers, RunForm } from '../../../src/protocol';
import { RequestError, RpcClient, RpcServer } from '../../../src/protocol';
import { Playground } from '../../../webview/playground';
import { CALL, SNAPSHOT, toLiveReply, toOutcome, toTurn, UNASKED } from './samples';

const FAILURE = { code: 'x', title: 'It failed', what: 'It failed.', why: 'So.', next: 'Run again.' };

/** A panel and a host, joined by the real protocol; every frame goes through JSON. */
function openPanel(handlers: Partial<RequestHandlers> = {}, stored?: unknown) {
  const frames: ClientFrame[] = [];
  const saved: unknown[] = [stored];
  const forms: RunForm[] = [];
  const nothing = () => Promise.resolve(null);
  const server: RpcServer = new RpcServer({
    post: (frame) => queueMicrotask(() => client.receive(JSON.parse(JSON.stringify(frame)))),
    toErrorInfo: (error) => (error instanceof RequestError ? error.info : FAILURE),
    onProblem: (problem) => expect.unreachable(problem),
    handlers: {
      'playground/snapshot': () => Promise.resolve(SNAPSHOT),
      'connection/models': () => Promise.resolve({ models: ['a', 'b'] }),
      'connection/set-key': () => Promise.resolve({ hasKey: true }),
      'connection/forget-key': () => Promise.resolve({ hasKey: false }),
      'chat/run': (form) => Promise.resolve(toOutcome(form.runId, toTurn('Cold.', []))),
      'chat/attach': () => Promise.resolve(null),
      ...UNASKED,
      'settings/open': nothing,
      'log/show': nothing,
      ...handlers,
    },
  });
  const client = new RpcClient((frame) => {
    const sent = JSON.parse(JSON.stringify(frame)) as ClientFrame;
    frames.push(sent);
    if (sent.kind === 'request' && sent.method === 'chat/run') forms.push(sent.params as RunForm);
    void server.receive(sent);
  });
  const playground = new Playground({
    client,
    loadState: () => saved.at(-1),
    saveState: (state) => saved.push(JSON.parse(JSON.stringify(state))),
  });
  onTestFinished(() => playground.save());
  return { playground, server, frames, saved, forms };
}

/** Replies with the call first, in prose once it has a result. */
const asksOnce: RequestHandlers['chat/run'] = (form) => {
  const isAnswer = form.messages.at(-1)?.role === 'tool';
  return Promise.resolve(toOutcome(form.runId, isAnswer ? toTurn('Cold.', []) : toTurn('', [CALL])));
};

describe('Playground', () => {
  it('runs the message of a first opening', async () => {
    const { playground, forms } = openPanel();
    await playground.start();
    await playground.run();
    expect(forms[0]?.messages).toEqual([{ role: 'user', content: 'What is the weather in Oslo?' }]);
    expect(playground.state.draft).toBe('');
    expect(playground.state.pendingRunId).toBeUndefined();
    expect(playground.state.entries.map(({ kind }) => kind)).toEqual(['user', 'run']);
  });

  it('has kept the run before its request goes out', async () => {
    const kept: unknown[] = [];
    const { playground, saved } = openPanel({
      'chat/run': (form) => {
        kept.push(saved.at(-1), form.runId);
        return Promise.resolve(toOutcome(form.runId, undefined));
      },
    });
    await playground.start();
    await playground.run();
    const [state, runId] = kept;
    expect(state).toMatchObject({ pendingRunId: runId, entries: [{ kind: 'user' }, { kind: 'run', runId }] });
  });

  it('goes on by itself when the last result is given', async () => {
    const second = { ...CALL, id: 'call_2' };
    const { playground, forms } = openPanel({
      'chat/run': (form) =>
        form.messages.length === 1
          ? Promise.resolve(toOutcome(form.runId, toTurn('', [CALL, second])))
          : asksOnce(form, new AbortController().signal),
    });
    await playground.start();
    await playground.run();
    const runId = forms[0]?.runId ?? '';
    await playground.giveResult(runId, 1, { content: '2', isError: false });
    expect(forms).toHaveLength(1);
    await playground.giveResult(runId, 0, { content: '1', isError: false });
    expect(forms[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: '', toolCalls: [CALL, second] },
      { role: 'tool', content: '1', toolName: 'get_weather', toolCallId: 'call_1', isError: false },
      { role: 'tool', content: '2', toolName: 'get_weather', toolCallId: 'call_2', isError: false },
    ]);
    expect(playground.state.entries).toHaveLength(3);
  });

  it('keeps the message of a run that failed and runs it again in its place', async () => {
    let fails = true;
    const { playground, forms } = openPanel({
      'chat/run': (form) =>
        fails ? Promise.reject(new Error('no')) : Promise.resolve(toOutcome(form.runId, toTurn('Cold.', []))),
    });
    await playground.start();
    await playground.run();
    expect(playground.state.entries.at(-1)).toMatchObject({ problem: FAILURE });
    fails = false;
    await playground.run();
    expect(forms[1]?.messages).toEqual(forms[0]?.messages);
    expect(forms[1]?.runId).not.toBe(forms[0]?.runId);
    expect(playground.state.entries).toHaveLength(2);
  });

  it('stops by a cancel frame and waits for what the host makes of it', async () => {
    const { playground, frames } = openPanel({
      'chat/run': (form, signal) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () =>
            resolve({
              ...toOutcome(form.runId, undefined),
              verdict: { kind: 'stopped', detail: 'after 0:01' },
            }),
          ),
        ),
    });
    await playground.start();
    const running = playground.run();
    playground.stop();
    await running;
    expect(frames.some(({ kind }) => kind === 'cancel')).toBe(true);
    expect(playground.state.entries.at(-1)).toMatchObject({ outcome: { verdict: { kind: 'stopped' } } });
  });

  it('shows a reply while it streams, and keeps none of it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { playground, server, saved, forms } = openPanel({
      'chat/run': () => new Promise(() => undefined),
    });
    await playground.start();
    void playground.run();
    await vi.advanceTimersByTimeAsync(1000);
    const runId = forms[0]?.runId ?? '';
    const kept = saved.length;
    for (const content of ['It is', 'It is cold.']) {
      const phase = { phase: 'reading' as const, attempt: 1, maxAttempts: 3, since: 0, ledger: [] };
      server.emit('run/progress', { ...phase, runId, reply: toLiveReply({ content }) });
      await vi.advanceTimersByTimeAsync(1000);
      expect(playground.state.progress?.reply?.content).toBe(content);
    }
    expect(saved).toHaveLength(kept);
    playground.save();
    expect(JSON.stringify(saved)).not.toContain('It is');
  });

  it('sends a changed message in its old place', async () => {
    const { playground, forms } = openPanel();
    await playground.start();
    await playground.run();
    const [first] = playground.state.entries;
    playground.set({ edit: { id: first?.kind === 'user' ? first.id : '', text: 'And in Bergen?' } });
    await playground.sendEdited();
    expect(forms[1]?.messages).toEqual([{ role: 'user', content: 'And in Bergen?' }]);
    expect(playground.state.entries).toHaveLength(2);
  });

  it('sends nothing while a field is wrong', async () => {
    const { playground, forms } = openPanel();
    await playground.start();
    const { sampling } = playground.state.lane;
    playground.set({ lane: { ...playground.state.lane, sampling: { ...sampling, seed: '1.5' } } });
    await playground.run();
    expect(forms).toEqual([]);
    expect(playground.state.draft).toBe('What is the weather in Oslo?');
  });

  it('waits again for the run that was under way when the panel went away', async () => {
    const before = openPanel({ 'chat/run': () => new Promise(() => undefined) });
    await before.playground.start();
    void before.playground.run();
    const runId = before.forms[0]?.runId ?? '';
    const after = openPanel(
      { 'chat/attach': (form) => Promise.resolve(toOutcome(form.runId, toTurn('Cold.', []))) },
      before.saved.at(-1),
    );
    await after.playground.start();
    expect(after.playground.state.entries.at(-1)).toMatchObject({ runId, outcome: { runId } });
    expect(after.playground.state.pendingRunId).toBeUndefined();
    before.playground.stop();
  });

  it('says that the answer is lost when the host no longer knows the run', async () => {
    const before = openPanel({ 'chat/run': () => new Promise(() => undefined) });
    await before.playground.start();
    void before.playground.run();
    const after = openPanel({}, before.saved.at(-1));
    await after.playground.start();
    expect(after.playground.state.entries.at(-1)).toMatchObject({
      problem: {
        what: 'The window was reloaded while this run was under way; its answer is lost.',
        next: 'Run again.',
      },
    });
    await after.playground.run();
    expect(after.forms).toHaveLength(1);
    expect(after.forms[0]?.messages).toEqual(before.forms[0]?.messages);
  });

  it('takes snapshots and progress as they come', async () => {
    const { playground, server } = openPanel();
    await playground.start();
    server.emit('playground/snapshot', { ...SNAPSHOT, requestsLeaveFrom: 'the container' });
    await Promise.resolve();
    expect(playground.state.snapshot?.requestsLeaveFrom).toBe('the container');
  });

  it('keeps the reason when the list of models cannot be had', async () => {
    const { playground } = openPanel({ 'connection/models': () => Promise.reject(new Error('no')) });
    await playground.start();
    await playground.readModels();
    expect(playground.state.models['demo']).toEqual({ status: 'failed', models: [], error: FAILURE });
  });

  it('asks for the models of a connection that has none configured', async () => {
    const { playground } = openPanel();
    await playground.start();
    playground.chooseConnection('hosted');
    await expect.poll(() => playground.state.lane.model).toBe('a');
  });

  it('forgets a cleared conversation and whatever still arrives of it', async () => {
    let reply: (() => void) | undefined;
    const { playground } = openPanel({
      'chat/run': (form) =>
        new Promise((resolve) => {
          reply = () => resolve(toOutcome(form.runId, toTurn('Cold.', [])));
        }),
    });
    await playground.start();
    const running = playground.run();
    playground.clear();
    expect(playground.state.draft).not.toBe('');
    reply?.();
    await running;
    expect(playground.state.entries).toEqual([]);
    expect(playground.state.pendingRunId).toBeUndefined();
  });
});
