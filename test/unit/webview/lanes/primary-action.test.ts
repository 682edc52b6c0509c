import { describe, expect, it } from 'vitest';
import { primaryAction } from '../../../../webview/lanes/primary-action';
import type { LaneSample } from '../samples';
import { CALL, HOSTED, toMessage, toPanel, toReplied, toReply, toResult, toRunState } from '../samples';

const CALLED: LaneSample = { entries: [toMessage('m'), toReplied('r1', toReply('', [CALL, CALL]))] };

describe('primaryAction', () => {
  it('is to run by default', () => {
    expect(primaryAction(toPanel(), '')).toEqual({ kind: 'run' });
    expect(primaryAction(toPanel({ a: CALLED }), 'Never mind.')).toEqual({ kind: 'run' });
  });

  it('is to give the first missing result in the current lane', () => {
    const give = { kind: 'give-result', laneId: 'b', runId: 'r1', index: 0 };
    expect(primaryAction(toPanel({ a: {}, b: CALLED }, { view: { laneId: 'b' } }), '')).toEqual(give);
    expect(primaryAction(toPanel({ a: {}, b: CALLED }), '')).toEqual({ kind: 'run' });
    const half = { entries: [toReplied('r1', toReply('', [CALL, CALL]), { results: { 0: toResult('4') } })] };
    expect(primaryAction(toPanel({ a: half }), '')).toMatchObject({ index: 1 });
  });

  it('is to run where something else would be sent now, even if a result is missing', () => {
    expect(primaryAction(toPanel({ a: { ...CALLED, next: 'again' } }), '')).toEqual({ kind: 'run' });
    const beside = { a: CALLED, b: { next: 'again' as const } };
    expect(primaryAction(toPanel(beside), '')).toEqual({ kind: 'run' });
    const only = toPanel(beside, { view: { target: 'a' } });
    expect(primaryAction(only, '')).toMatchObject({ kind: 'give-result', laneId: 'a' });
  });

  it('is the next step of a paused agent run', () => {
    const paused = { ...CALLED, run: toRunState('r1', { phase: 'paused' }) };
    expect(primaryAction(toPanel({ a: paused }), 'x')).toEqual({ kind: 'next-step', laneId: 'a' });
  });

  it('is a partial result, also in a paused agent run, unless a message is being written', () => {
    const results = new Map([['r1', { 1: { content: '', isError: false, isOpen: true } }]]);
    const give = { kind: 'give-result', laneId: 'a', runId: 'r1', index: 1 };
    const paused = { ...CALLED, run: toRunState('r1', { phase: 'paused' }) };
    expect(primaryAction(toPanel({ a: paused }, { view: { results } }), '')).toEqual(give);
    expect(primaryAction(toPanel({ a: CALLED }, { view: { results } }), '')).toEqual(give);
    expect(primaryAction(toPanel({ a: CALLED }, { view: { results } }), 'x')).toEqual({ kind: 'run' });
    // A result of a conversation that was cleared meanwhile.
    expect(primaryAction(toPanel({ a: {} }, { view: { results } }), '')).toEqual({ kind: 'run' });
  });

  it('is to set a missing key before anything else', () => {
    const state = toPanel({ a: { ...CALLED, settings: { connection: 'hosted' } } });
    const environment = { version: 2, requestsLeaveFrom: '', connections: [{ ...HOSTED, hasKey: false }] };
    expect(primaryAction({ ...state, session: { ...state.session, environment } }, '')).toEqual({
      kind: 'set-key',
      laneId: 'a',
    });
  });
});
