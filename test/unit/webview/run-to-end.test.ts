import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentForm, AgentOutcome, RequestMethod } from '../../../src/protocol';
import { RpcClient } from '../../../src/protocol';
import { Playground } from '../../../webview/playground';
import type { PlaygroundState } from '../../../webview/state';
import { runEntries } from '../../../webview/state';
import { CALL, readyState, toAgentOutcome, toOutcome, toRun, toTurn } from './samples';

interface Sent {
  kind: string;
  id: string;
  method: RequestMethod;
  params: unknown;
}
let sent: Sent[];
let client: RpcClient;
let saved: unknown;

/** A panel in the given state; the test answers for the host. */
function openPanel(change: Partial<PlaygroundState>, stored?: unknown): Playground {
  client = new RpcClient((frame) => sent.push(structuredClone(frame) as Sent));
  const playground = new Playground({
    client,
    loadState: () => stored,
    saveState: (state) => (saved = structuredClone(state)),
  });
  if (!stored) playground.set(readyState(change));
  return playground;
}

const findRequest = (method: RequestMethod): Sent | undefined =>
  sent.findLast((frame) => frame.method === method);
const formOf = (): AgentForm | undefined => findRequest('agent/run')?.params as AgentForm | undefined;
const reply = (method: RequestMethod, result: unknown): void =>
  client.receive({ kind: 'reply', id: findRequest(method)?.id ?? '', ok: true, result });

const user = { kind: 'user' as const, id: 'u1', content: 'Weather?' };
const second = { ...CALL, id: 'call_2' };
const asks = toRun('r1', toOutcome('r1', toTurn('', [CALL, second])));

beforeEach(() => {
  sent = [];
});

describe('RunToEnd', () => {
  it('goes on from the calls that are open, and sends those that have their result with it', async () => {
    const given = { ...asks, results: { 1: { content: 'by hand', isError: false } } };
    const playground = openPanel({ entries: [user, given], draft: 'kept' });
    const running = playground.toEnd.goOn();
    expect(formOf()).toMatchObject({
      maxSteps: 10,
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', toolCalls: [{ id: 'call_1' }, { id: 'call_2' }] },
        { role: 'tool', toolCallId: 'call_2', content: 'by hand' },
      ],
    });
    expect(saved).toMatchObject({ agent: { runId: formOf()?.runId }, draft: 'kept' });
    reply('agent/run', toAgentOutcome(formOf()?.runId ?? ''));
    await running;
    expect(runEntries(playground.state)).toMatchObject([
      { runId: 'r1' },
      { ending: { stopReason: 'answer' } },
    ]);
  });

  it('sends of a result only what a message holds', () => {
    const results = { 0: { content: '1', isError: false, source: 'mock' as const } };
    const playground = openPanel({ entries: [user, { ...asks, results }] });
    void playground.toEnd.goOn();
    expect(formOf()?.messages.at(-1)).toEqual({
      role: 'tool',
      toolName: 'get_weather',
      toolCallId: 'call_1',
      content: '1',
      isError: false,
    });
  });

  it('starts with the message box, or replaces a run that brought no reply', () => {
    const fresh = openPanel({ draft: 'Weather?' });
    void fresh.toEnd.start();
    expect(formOf()?.messages).toEqual([{ role: 'user', content: 'Weather?' }]);
    expect(fresh.state).toMatchObject({ draft: '', entries: [{ kind: 'user' }, { kind: 'run' }] });
    const failed = openPanel({ draft: '', entries: [user, toRun('r1', toOutcome('r1', undefined))] });
    void failed.toEnd.start();
    expect(failed.state.entries).toHaveLength(2);
    expect(runEntries(failed.state)).toMatchObject([{ step: { number: 1 } }]);
  });

  it('sends nothing without a message, a call or a limit that holds', () => {
    const playground = openPanel({ draft: '' });
    void playground.toEnd.start();
    void playground.toEnd.goOn();
    const { lane } = readyState();
    const limited = openPanel({ lane: { ...lane, limits: { ...lane.limits, maxSteps: '0' } } });
    void limited.toEnd.start();
    expect(sent).toEqual([]);
  });

  it('shows the steps as they are told, and is stopped by a cancel frame', async () => {
    const playground = openPanel({ entries: [user, asks] });
    const running = playground.toEnd.goOn();
    const runId = formOf()?.runId ?? '';
    const [step] = toAgentOutcome(runId).steps;
    client.receive({
      kind: 'event',
      name: 'agent/step',
      data: {
        ...step,
        step: 0,
        outcome: undefined,
        answers: [{ callId: 'call_1', content: '1', isError: false }],
      },
    });
    client.receive({ kind: 'event', name: 'agent/step', data: step });
    expect(runEntries(playground.state)).toMatchObject([
      { results: { 0: { source: 'mock' } } },
      { outcome: { runId: `${runId}/1` } },
    ]);
    playground.stop();
    expect(sent.at(-1)).toMatchObject({ kind: 'cancel', id: findRequest('agent/run')?.id });
    const ended: AgentOutcome = toAgentOutcome(runId);
    reply('agent/run', { ...ended, ending: { ...ended.ending, stopReason: 'stopped' } });
    await running;
    expect(runEntries(playground.state).at(-1)?.ending?.stopReason).toBe('stopped');
    expect(playground.state.pendingRunId).toBeUndefined();
  });

  it('is found again by a panel that comes back', async () => {
    void openPanel({ entries: [user, asks] }).toEnd.goOn();
    const runId = formOf()?.runId ?? '';
    const after = openPanel({}, structuredClone(saved));
    const running = after.toEnd.attach();
    expect(findRequest('agent/attach')?.params).toEqual({ runId });
    reply('agent/attach', toAgentOutcome(runId));
    await running;
    expect(runEntries(after.state).at(-1)).toMatchObject({ ending: { stopReason: 'answer' } });
  });

  it('says that it is lost when the host no longer knows it', async () => {
    void openPanel({ entries: [user, asks] }).toEnd.goOn();
    const after = openPanel({}, structuredClone(saved));
    const running = after.toEnd.attach();
    reply('agent/attach', null);
    await running;
    expect(runEntries(after.state)).toMatchObject([{ runId: 'r1' }, { problem: { code: 'lost' } }]);
    expect(after.state.agent).toBeUndefined();
  });
});
