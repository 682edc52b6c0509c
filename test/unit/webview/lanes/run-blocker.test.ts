import { describe, expect, it } from 'vitest';
import { fieldKey } from '../../../../webview/lanes/lane-fields';
import { concerned, laneBlocker, leftOut, runBlocker } from '../../../../webview/lanes/run-blocker';
import type { LaneSample, PanelChange } from '../samples';
import { CALL, toMessage, toPanel, toReplied, toReply, toRunState } from '../samples';

const blocker = (
  lanes: Record<string, LaneSample>,
  change: PanelChange = {},
  { text = 'Hello', kind = 'chat' }: { text?: string; kind?: 'chat' | 'agent' } = {},
): string | undefined => {
  const state = toPanel(lanes, change);
  return runBlocker(state, state.session.laneIds, text, kind);
};
const BUSY = { run: toRunState('r1') };
const UNKNOWN = { blocker: 'The connection `gone` is not set up.' };
const CALLED: LaneSample = {
  entries: [toMessage('m'), toReplied('r1', toReply('', [CALL]))],
  next: 'results',
};

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

  it('reports what the session says of the document, once for all lanes', () => {
    const document = { blocker: 'Line 3 of the playground cannot be read.' };
    expect(blocker({ a: {}, b: UNKNOWN }, { document })).toBe(document.blocker);
    const state = toPanel({ a: {}, b: UNKNOWN }, { document });
    expect(laneBlocker(state, 'b')).toBe(document.blocker);
    expect(new Set(leftOut(state, ['a', 'b']))).toEqual(new Set([document.blocker]));
  });

  it('permits a run of the other lanes if one is running or cannot run', () => {
    expect(blocker({ a: BUSY, b: {} })).toBeUndefined();
    expect(blocker({ a: UNKNOWN, b: {} })).toBeUndefined();
    expect(blocker({ a: BUSY, b: BUSY })).toBe('A run is under way in every lane.');
    expect(blocker({ a: BUSY })).toBe('A run is under way.');
    expect(blocker({ a: BUSY, b: UNKNOWN })).toBe(UNKNOWN.blocker);
  });

  it('names the tool that has an invalid text', () => {
    const fields = new Map([['tools.0.name', ' ']]);
    expect(blocker({ a: {}, b: {} }, { view: { fields } })).toBe('Tool `get_weather`: A tool needs a name.');
    const gone = new Map([['tools.7.name', '']]);
    expect(blocker({ a: {} }, { view: { fields: gone } })).toBeUndefined();
  });

  it('reports what prevents a run of the only lane', () => {
    expect(blocker({ a: UNKNOWN })).toBe(UNKNOWN.blocker);
    const fields = new Map([[fieldKey('sampling.seed', 'a'), 'x']]);
    expect(blocker({ a: {} }, { view: { fields } })).toBe('Seed must be a whole number.');
    expect(blocker({ a: {}, b: UNKNOWN }, { view: { fields } })).toBe('Lane 1: Seed must be a whole number.');
  });

  it('waits for the connections', () => {
    const state = toPanel({ a: {} });
    const unknown = { ...state, session: { ...state.session, environment: undefined } };
    expect(runBlocker(unknown, ['a'], 'Hello')).toBe('The connections are not known yet.');
  });

  it('requires a message if no reply is pending', () => {
    expect(blocker({ a: {} }, {}, { text: ' \n' })).toBe('Write a message to run.');
    const answered = { entries: [toMessage('m'), toReplied('r1', toReply('Cold.'))] };
    expect(blocker({ a: answered }, {}, { text: '' })).toBe(
      'Nothing has changed since the replies: write a message to run.',
    );
    expect(blocker({ a: CALLED }, {}, { text: '' })).toBe(
      'Give a result for `get_weather`, or write a message.',
    );
    expect(blocker({ a: CALLED }, {}, { text: '', kind: 'agent' })).toBeUndefined();
  });

  it('requires a message if the only lane that waits for a reply cannot run', () => {
    const waiting: LaneSample = { ...UNKNOWN, next: 'reply' };
    expect(blocker({ a: waiting, b: {} }, {}, { text: '' })).toBe('Write a message to run.');
  });

  it.each(['send', 'reply', 'again'] as const)('permits a run without a message: %s', (next) => {
    expect(blocker({ a: { next }, b: {} }, {}, { text: '' })).toBeUndefined();
  });

  it('permits a run while something is typed that may change what is sent', () => {
    const fields = new Map([['system', 'Be brief.']]);
    const answered = { entries: [toMessage('m'), toReplied('r1', toReply('Cold.'))] };
    const state = toPanel({ a: answered, b: {} }, { view: { fields } });
    expect(concerned(state, ['a', 'b'], 'chat')).toEqual(['a']);
    expect(blocker({ a: {} }, { view: { fields } }, { text: '' })).toBe('Write a message to run.');
  });
});

describe('leftOut', () => {
  it('names the lanes that a run leaves out, except those running', () => {
    const state = toPanel({ a: UNKNOWN, b: {}, c: BUSY });
    expect(leftOut(state, ['a', 'b', 'c'])).toEqual([UNKNOWN.blocker]);
    expect(leftOut(state, ['a'])).toEqual([]);
  });
});
