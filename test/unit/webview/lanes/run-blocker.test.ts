import { describe, expect, it } from 'vitest';
import { fieldKey } from '../../../../webview/lanes/lane-fields';
import { awaitsReply, leftOut, runBlocker } from '../../../../webview/lanes/run-blocker';
import type { PanelState } from '../../../../webview/state/panel-state';
import type { LaneSample, PanelChange } from '../samples';
import {
  CALL,
  laneIn,
  toMessage,
  toOutcome,
  toPanel,
  toReplied,
  toReply,
  toResult,
  toRun,
  toRunState,
} from '../samples';

const blocker = (
  lanes: Record<string, LaneSample>,
  change: PanelChange = {},
  { text = 'Hello', kind = 'chat' }: { text?: string; kind?: 'chat' | 'agent' } = {},
): string | undefined => {
  const state = toPanel(lanes, change);
  return runBlocker(state, state.session.laneIds, text, kind);
};
const BUSY = { run: toRunState('r1') };
const UNKNOWN = { settings: { connection: 'gone' } };
const CALLED = { entries: [toMessage('m'), toReplied('r1', toReply('', [CALL]))] };

describe('runBlocker', () => {
  it('cuts the long name that a model gave its call', () => {
    const call = { ...CALL, name: 'x'.repeat(2_000) };
    const entries = [toMessage('m'), toReplied('r1', toReply('', [call]))];
    expect(blocker({ a: { entries } }, {}, { text: '' })).toBe(
      `Give a result for \`${'x'.repeat(80)}…\`, or write a message.`,
    );
  });

  it('permits a message to an idle lane', () => {
    expect(blocker({ a: {} })).toBeUndefined();
  });

  it('reports a message that is too long, to an idle lane and beside a running one', () => {
    const longest = 'x'.repeat(2_000_000);
    expect(blocker({ a: {} }, {}, { text: longest })).toBeUndefined();
    expect(blocker({ a: BUSY, b: {} }, {}, { text: `${longest}x` })).toBe(
      'The message is longer than 2,000,000 characters: shorten it.',
    );
  });

  it('reports an invalid document, or one with a secret', () => {
    expect(blocker({ a: {} }, { document: { error: { line: 3, message: 'x' } } })).toContain(
      'cannot be read',
    );
    expect(blocker({ a: {} }, { document: { secrets: ['lanes[0].raw.key'] } })).toContain('secret');
  });

  it('permits a run of the other lanes if one is running or cannot run', () => {
    expect(blocker({ a: BUSY, b: {} })).toBeUndefined();
    expect(blocker({ a: UNKNOWN, b: {} })).toBeUndefined();
    expect(blocker({ a: BUSY, b: BUSY })).toBe('A run is under way in every lane.');
    expect(blocker({ a: BUSY })).toBe('A run is under way.');
    expect(blocker({ a: BUSY, b: UNKNOWN })).toContain('The connection `gone` of lane 2 is not set up');
  });

  it('names the tool that has an invalid text', () => {
    const fields = new Map([['tools.0.name', ' ']]);
    expect(blocker({ a: {}, b: {} }, { view: { fields } })).toBe('Tool `get_weather`: A tool needs a name.');
    const gone = new Map([['tools.7.name', '']]);
    expect(blocker({ a: {} }, { view: { fields: gone } })).toBeUndefined();
  });

  it('reports the problem of the only lane', () => {
    expect(blocker({ a: UNKNOWN })).toContain('The connection `gone` of the lane is not set up');
    expect(blocker({ a: { settings: { connection: 'hosted' } } })).toBe(
      'Choose a model in the settings of the lane.',
    );
    const fields = new Map([[fieldKey('sampling.seed', 'a'), 'x']]);
    expect(blocker({ a: {} }, { view: { fields } })).toBe('Seed must be a whole number.');
    expect(blocker({ a: {}, b: UNKNOWN }, { view: { fields } })).toBe('Lane 1: Seed must be a whole number.');
  });

  it('reports the problem of a connection', () => {
    const state = toPanel({ a: {} });
    const connections = (state.session.environment?.connections ?? []).map((connection) => ({
      ...connection,
      problem: 'Its address is no URL.',
    }));
    const environment = { version: 2, requestsLeaveFrom: 'here', connections };
    const broken: PanelState = { ...state, session: { ...state.session, environment } };
    expect(runBlocker(broken, ['a'], 'Hello')).toBe('Its address is no URL.');
    const unknown = { ...state, session: { ...state.session, environment: undefined } };
    expect(runBlocker(unknown, ['a'], 'Hello')).toBe('The connections are not known yet.');
  });

  it('requires a message if no reply is pending', () => {
    expect(blocker({ a: {} }, {}, { text: ' \n' })).toBe('Write a message to run.');
    const answered = { entries: [toMessage('m'), toReplied('r1', toReply('Cold.'))] };
    expect(blocker({ a: answered }, {}, { text: '' })).toBe('Write a message to run.');
    expect(blocker({ a: CALLED }, {}, { text: '' })).toBe(
      'Give a result for `get_weather`, or write a message.',
    );
    expect(blocker({ a: CALLED }, {}, { text: '', kind: 'agent' })).toBeUndefined();
  });

  it('requires a message if the only lane that waits for a reply cannot run', () => {
    const waiting = { ...UNKNOWN, entries: [toMessage('m')] };
    expect(blocker({ a: waiting, b: {} }, {}, { text: '' })).toBe('Write a message to run.');
  });

  it('permits a run without a message for pending messages, failed runs, and answered calls', () => {
    const given = toReplied('r1', toReply('', [CALL]), { results: { 0: toResult('4') } });
    for (const last of [
      toMessage('m', 'x', { isPending: true }),
      toRun('r1', toOutcome('r1', undefined)),
      given,
    ]) {
      expect(blocker({ a: { entries: [toMessage('m0'), last] }, b: {} }, {}, { text: '' })).toBeUndefined();
    }
  });
});

describe('leftOut', () => {
  it('names the lanes that a run leaves out, except those running', () => {
    const state = toPanel({ a: UNKNOWN, b: {}, c: BUSY });
    expect(leftOut(state, ['a', 'b', 'c'])).toEqual([expect.stringContaining('of lane 1 is not set up')]);
    expect(leftOut(state, ['a'])).toEqual([]);
  });
});

describe('awaitsReply', () => {
  it('is true after a message of the user, but not after a pinned reply', () => {
    const of = (...entries: NonNullable<LaneSample['entries']>) =>
      awaitsReply(laneIn(toPanel({ a: { entries } })));
    expect(of()).toBe(false);
    expect(of(toMessage('m'))).toBe(true);
    expect(of(toMessage('m', 'Cold.', { role: 'assistant' }))).toBe(false);
    expect(of(toRun('r', undefined, { isStored: true }))).toBe(false);
  });
});
