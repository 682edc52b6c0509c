import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { MessageSchema } from '../../../src/protocol';
import type { RescuedCall } from '../../../src/types';
import {
  awaitsReply,
  isAnswered,
  runBlocker,
  toMessages,
  toRunForm,
  unansweredCalls,
} from '../../../webview/run-request';
import type { Entry } from '../../../webview/state';
import { withLane, withSampling } from '../../../webview/state';
import { CALL, readyState, toOutcome, toRun, toTurn } from './samples';

const user: Entry = { kind: 'user', id: 'u1', content: 'Weather?' };
const asks = toRun('r1', toOutcome('r1', toTurn('Let me see.', [CALL])));
const result = { content: '{"temp_c":-2}', isError: false };

describe('toMessages', () => {
  it('sends a reply with its answered calls, then their results', () => {
    const messages = toMessages([user, { ...asks, results: { 0: { ...result, isError: true } } }]);
    expect(messages).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: 'Let me see.', toolCalls: [CALL] },
      {
        role: 'tool',
        content: '{"temp_c":-2}',
        toolName: 'get_weather',
        toolCallId: 'call_1',
        isError: true,
      },
    ]);
  });

  it('sends of a rescued call only what the host accepts', () => {
    const rescued: RescuedCall = {
      ...CALL,
      source: 'rescued',
      format: 'hermes-json',
      evidence: 'marker',
      rawName: CALL.name,
      start: 0,
      end: 9,
      repairs: [],
    };
    const entry = { ...toRun('r1', toOutcome('r1', toTurn('', [rescued]))), results: { 0: result } };
    const parsed = v.safeParse(v.array(MessageSchema), toMessages([user, entry]));
    expect(parsed.issues).toBeUndefined();
  });

  it('sends back what a server wants back with its call, within bounds', () => {
    const extraContent = { google: { thought_signature: 'abc' } };
    const signed = { ...CALL, extraContent };
    const entry = { ...toRun('r1', toOutcome('r1', toTurn('', [signed]))), results: { 0: result } };
    const messages = toMessages([user, entry]);
    expect(messages[1]?.toolCalls).toEqual([signed]);
    expect(v.parse(v.array(MessageSchema), messages)[1]?.toolCalls).toEqual([signed]);
    const long = { ...CALL, extraContent: { signature: 'x'.repeat(2_000_000) } };
    expect(v.is(MessageSchema, { role: 'assistant', content: '', toolCalls: [long] })).toBe(false);
  });

  it('leaves out a call that has no result', () => {
    const second = { ...CALL, id: 'call_2', name: 'search_flights' };
    const entry = { ...toRun('r1', toOutcome('r1', toTurn('', [CALL, second]))), results: { 1: result } };
    const [, assistant, tool, ...rest] = toMessages([user, entry]);
    expect(assistant?.toolCalls).toEqual([second]);
    expect(tool?.toolCallId).toBe('call_2');
    expect(rest).toEqual([]);
    expect(unansweredCalls([entry])).toEqual(['get_weather']);
  });

  it('leaves out a reply of which nothing remains', () => {
    expect(toMessages([user, toRun('r1', toOutcome('r1', toTurn('', [CALL])))])).toEqual([
      { role: 'user', content: 'Weather?' },
    ]);
  });

  it('leaves out runs that brought no reply', () => {
    expect(toMessages([user, toRun('r1', toOutcome('r1', undefined)), toRun('r2')])).toHaveLength(1);
  });
});

describe('awaitsReply', () => {
  it('holds after a message, a failed run and the last result', () => {
    expect(awaitsReply([])).toBe(false);
    expect(awaitsReply([user])).toBe(true);
    expect(awaitsReply([user, toRun('r1', toOutcome('r1', undefined))])).toBe(true);
    expect(awaitsReply([user, asks])).toBe(false);
    expect(awaitsReply([user, { ...asks, results: { 0: result } }])).toBe(true);
    expect(awaitsReply([user, toRun('r1', toOutcome('r1', toTurn('Cold.', [])))])).toBe(false);
  });
});

describe('isAnswered', () => {
  it('wants a result of every call, and at least one call', () => {
    expect(isAnswered(asks)).toBe(false);
    expect(isAnswered({ ...asks, results: { 0: result } })).toBe(true);
    expect(isAnswered(toRun('r1', toOutcome('r1', toTurn('Cold.', []))))).toBe(false);
  });
});

describe('runBlocker', () => {
  it('lets the first run of a first opening go', () => {
    expect(runBlocker(readyState())).toBeUndefined();
  });

  it.each([
    ['a run is under way', readyState({ pendingRunId: 'r1' }), 'A run is under way.'],
    ['the snapshot is missing', readyState({ snapshot: undefined }), 'The connections are not known yet.'],
    [
      'the connection is gone',
      withLane(readyState(), { connectionId: 'gone' }),
      'Choose a connection in the settings of lane 1.',
    ],
    [
      'no model is chosen',
      withLane(readyState(), { model: ' ' }),
      'Choose a model in the settings of lane 1.',
    ],
    ['a field is wrong', withSampling(readyState(), 'seed', 'x'), 'Seed must be a whole number.'],
    ['there is no message', readyState({ draft: ' \n' }), 'Write a message to run.'],
    [
      'a call waits for its result',
      readyState({ draft: '', entries: [user, asks] }),
      'Give a result of `get_weather`, or write a message.',
    ],
  ])('says that %s', (_title, state, sentence) => expect(runBlocker(state)).toBe(sentence));

  it('needs no new message while the last one waits for a reply', () => {
    const entries = [user, toRun('r1', toOutcome('r1', undefined))];
    expect(runBlocker(readyState({ draft: '', entries }))).toBeUndefined();
  });
});

describe('toRunForm', () => {
  it('sends the set fields only, and no tool that is gone', () => {
    const state = withSampling(
      readyState({ entries: [user], toolNames: ['get_weather', 'gone'], systemPrompt: 'Be brief.' }),
      'temperature',
      '0',
    );
    expect(toRunForm(withLane(state, { model: ' first-look ' }), 'r9')).toEqual({
      runId: 'r9',
      connectionId: 'demo',
      model: 'first-look',
      systemPrompt: 'Be brief.',
      messages: [{ role: 'user', content: 'Weather?' }],
      toolNames: ['get_weather'],
      sampling: { temperature: 0 },
      rescueToolCalls: true,
    });
  });
});
