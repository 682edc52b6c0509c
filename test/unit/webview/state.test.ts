import { describe, expect, it } from 'vitest';
import {
  initialState,
  inspectedRun,
  liveReply,
  offeredTools,
  withConnection,
  withModels,
  withProgress,
  withResult,
  withRunEnded,
  withRunStarted,
  withSnapshot,
  withTool,
} from '../../../webview/state';
import { readingState, readyState, SNAPSHOT, toOutcome, toRun, toTurn } from './samples';

const outcome = toOutcome('r1', toTurn('Cold.', []));

describe('withSnapshot', () => {
  it('fills the form of a first opening, so that only Run remains to be pressed', () => {
    const state = withSnapshot(initialState(0), SNAPSHOT);
    expect(state.lane).toMatchObject({ connectionId: 'demo', model: 'first-look', rescueToolCalls: true });
    expect(state.draft).toBe('What is the weather in Oslo?');
    expect(offeredTools(state)).toEqual(['get_weather']);
    expect(state.isSettingsOpen).toBe(false);
  });

  it('leaves what a person has chosen or typed', () => {
    const before = readyState({ draft: '', toolNames: [] });
    const state = withSnapshot({ ...before, lane: { ...before.lane, model: 'other' } }, SNAPSHOT);
    expect(state.lane.model).toBe('other');
    expect(state.draft).toBe('');
    expect(state.toolNames).toEqual([]);
  });
});

describe('withConnection', () => {
  it("takes the connection's model, the preset, or the first of the list", () => {
    const away = withConnection(readyState(), 'hosted');
    expect(away.lane).toMatchObject({ connectionId: 'hosted', model: '' });
    expect(withModels(away, 'hosted', { models: ['a', 'b'] }).lane.model).toBe('a');
    expect(withConnection(away, 'demo').lane.model).toBe('first-look');
  });

  it('never replaces a model by a list that comes later', () => {
    expect(withModels(readyState(), 'demo', { models: ['a'] }).lane.model).toBe('first-look');
    expect(withModels(withConnection(readyState(), 'hosted'), 'demo', { models: ['a'] }).lane.model).toBe('');
  });
});

describe('withTool', () => {
  it('offers a tool once and takes it back', () => {
    const offered = withTool(withTool(readyState(), 'search_flights', true), 'search_flights', true);
    expect(offered.toolNames).toEqual(['get_weather', 'search_flights']);
    expect(withTool(offered, 'get_weather', false).toolNames).toEqual(['search_flights']);
  });
});

describe('withRunStarted', () => {
  it('follows the new run and keeps a change that is being written', () => {
    const edit = { id: 'u1', text: 'half a sen' };
    const state = withRunStarted(readyState({ selection: { runId: 'old' }, edit }), 'r1', 5);
    expect(state).toMatchObject({ pendingRunId: 'r1', pendingSince: 5, edit });
    expect(state.selection).toBeUndefined();
    expect(inspectedRun(state)?.runId).toBe('r1');
  });
});

describe('withRunEnded', () => {
  it('puts the outcome in its place and ends the waiting', () => {
    const state = withRunEnded(withRunStarted(readyState(), 'r1', 5), 'r1', { outcome });
    expect(state.pendingRunId).toBeUndefined();
    expect(inspectedRun(state)?.outcome).toBe(outcome);
  });

  it('ignores a run that was cleared, and lets its successor wait', () => {
    const state = withRunEnded(withRunStarted(readyState(), 'r2', 5), 'r1', { outcome });
    expect(state.pendingRunId).toBe('r2');
    expect(state.entries).toEqual([toRun('r2')]);
  });
});

describe('withProgress', () => {
  const progress = {
    runId: 'r1',
    phase: 'reading' as const,
    attempt: 1,
    maxAttempts: 3,
    since: 0,
    ledger: [],
  };

  it('takes the progress of the run under way and of no other', () => {
    const running = withRunStarted(readyState(), 'r1', 5);
    expect(withProgress(running, progress).progress).toBe(progress);
    expect(withProgress(running, { ...progress, runId: 'r0' })).toBe(running);
  });
});

describe('liveReply', () => {
  it('is that of the run under way, and ends with it', () => {
    const reading = readyState(readingState({ content: 'It is' }));
    expect(liveReply(reading, toRun('r1'))?.content).toBe('It is');
    expect(liveReply(reading, toRun('r0'))).toBeUndefined();
    expect(liveReply(withRunEnded(reading, 'r1', { outcome }), toRun('r1'))).toBeUndefined();
  });
});

describe('withResult', () => {
  it('replaces the draft of the result', () => {
    const drafts = {
      0: { content: 'x', isError: false, isOpen: true },
      1: { content: 'y', isError: false, isOpen: true },
    };
    const entry = withResult({ ...toRun('r1', outcome), drafts }, 0, { content: 'done', isError: false });
    expect(entry.results).toEqual({ 0: { content: 'done', isError: false } });
    expect(Object.keys(entry.drafts)).toEqual(['1']);
  });
});

describe('inspectedRun', () => {
  it('is the selected run, else the latest', () => {
    const entries = [toRun('r1', outcome), toRun('r2')];
    expect(inspectedRun(readyState({ entries }))?.runId).toBe('r2');
    expect(inspectedRun(readyState({ entries, selection: { runId: 'r1' } }))?.runId).toBe('r1');
    expect(inspectedRun(readyState({ entries, selection: { runId: 'gone' } }))?.runId).toBe('r2');
  });
});
