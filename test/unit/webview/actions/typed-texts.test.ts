import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionSnapshot } from '../../../../src/protocol';
import { fieldKey, fieldText } from '../../../../webview/lanes/lane-fields';
import { openPanel, settle } from '../open-panel';
import { toDocument, toLane } from '../samples';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('TypedTexts', () => {
  const KEY = fieldKey('sampling.temperature', 'a');
  const withTemperature = (temperature: number | undefined, version: number): Partial<SessionSnapshot> => ({
    document: toDocument([toLane('a', { sampling: { temperature } })], { version }),
  });

  it('sends a typed value as one undo step for the field', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    for (const text of ['0', '0.', '0.5']) playground.fields.type(KEY, text);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent('document/edit')).toEqual([
      { edits: [{ path: ['lanes', 0, 'sampling', 'temperature'], value: 0.5 }], gather: KEY },
    ]);
  });

  it('keeps and sends what a hidden panel could not send, unless the field was changed elsewhere since', async () => {
    const first = openPanel();
    await first.playground.start();
    first.playground.fields.type(KEY, '0.5');
    first.playground.save();
    const reopen = async (temperature: number | undefined) => {
      const second = openPanel({ a: {} }, { stored: first.saved.at(-1) });
      second.host.snapshot = { ...second.host.snapshot, ...withTemperature(temperature, 2) };
      await second.playground.start();
      return { shown: fieldText(second.playground.state, KEY), edits: second.sent('document/edit') };
    };
    expect(await reopen(undefined)).toEqual({
      shown: '0.5',
      edits: [
        { edits: [{ path: ['lanes', 0, 'sampling', 'temperature'], value: 0.5 }], gather: KEY, isLast: true },
      ],
    });
    expect(await reopen(1)).toEqual({ shown: '1', edits: [] });
  });

  it('removes the key when the field is emptied', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    playground.fields.type(KEY, '');
    playground.fields.leave(KEY);
    await settle();
    expect(sent('document/edit')).toEqual([
      { edits: [{ path: ['lanes', 0, 'sampling', 'temperature'] }], gather: KEY, isLast: true },
    ]);
  });

  it('keeps the typed text, however the document normalizes the value', async () => {
    const { playground, emit } = openPanel();
    await playground.start();
    playground.fields.type(KEY, '0.50');
    await vi.advanceTimersByTimeAsync(1000);
    await emit(withTemperature(0.5, 2));
    expect(fieldText(playground.state, KEY)).toBe('0.50');
    playground.fields.leave(KEY);
    await emit(withTemperature(0.5, 3));
    expect(fieldText(playground.state, KEY)).toBe('0.5');
  });

  it('sends the value before an undo, then shows the value of the document, even in the focused field', async () => {
    const { playground, emit, requests } = openPanel();
    await playground.start();
    await emit(withTemperature(1, 2));
    playground.fields.type(KEY, '0.5');
    requests.length = 0;
    await playground.undo();
    expect(requests.map(({ method }) => method)).toEqual(['document/edit', 'document/undo']);
    await emit(withTemperature(1, 4));
    expect(fieldText(playground.state, KEY)).toBe('1');
    // An invalid value never reaches the document.
    playground.fields.type(KEY, 'abc');
    await playground.undo();
    await emit(withTemperature(2, 5));
    expect(fieldText(playground.state, KEY)).toBe('abc');
  });

  it('keeps an invalid text without sending it', async () => {
    const { playground, emit, sent } = openPanel();
    await playground.start();
    playground.fields.type(KEY, 'abc');
    playground.fields.leave(KEY);
    await emit(withTemperature(1, 2));
    expect(fieldText(playground.state, KEY)).toBe('abc');
    expect(sent('document/edit')).toEqual([]);
  });

  it('shows the document again after an edit was refused', async () => {
    const handlers = { 'document/edit': () => Promise.reject(new Error('no')) };
    const { playground, emit } = openPanel({ a: {} }, { handlers });
    await playground.start();
    playground.fields.type(KEY, '0.5');
    playground.fields.leave(KEY);
    await settle();
    expect(fieldText(playground.state, KEY)).toBe('0.5');
    await emit(withTemperature(undefined, 2));
    expect(fieldText(playground.state, KEY)).toBe('');
  });

  it('shows what it sent until the document has it, whatever else changes there', async () => {
    const { playground, emit } = openPanel();
    await playground.start();
    await emit(withTemperature(1, 2));
    playground.fields.type(KEY, '0.5');
    playground.fields.leave(KEY);
    await settle();
    await emit(withTemperature(1, 3));
    expect(fieldText(playground.state, KEY)).toBe('0.5');
    await emit(withTemperature(2, 4));
    expect(fieldText(playground.state, KEY)).toBe('2');
  });
});
