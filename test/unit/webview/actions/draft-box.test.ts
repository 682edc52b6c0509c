import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionSnapshot } from '../../../../src/protocol';
import { boxText } from '../../../../webview/actions/draft-box';
import { openPanel, settle } from '../open-panel';
import { toDocument, toLane } from '../samples';

const withDraft = (draft: string, version = 2): Partial<SessionSnapshot> => ({
  document: toDocument([toLane('a')], { draft, version }),
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('DraftBox', () => {
  it('sends what is typed when the person pauses, once', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    for (const text of ['I', 'Is', 'Is it']) playground.draft.type(text);
    await vi.advanceTimersByTimeAsync(399);
    expect(sent('message/draft')).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent('message/draft')).toEqual([{ text: 'Is it' }]);
  });

  it('sends it at once when the box is left or the panel goes away', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    playground.draft.focused(true);
    playground.draft.type('One');
    playground.draft.focused(false);
    playground.draft.type('Two');
    playground.flush();
    playground.flush();
    await settle();
    expect(sent('message/draft')).toEqual([{ text: 'One' }, { text: 'Two' }]);
  });

  it('shows the draft of the document while nothing is typed', async () => {
    const { playground, emit } = openPanel();
    await playground.start();
    await emit(withDraft('From the text editor'));
    expect(boxText(playground.state)).toBe('From the text editor');
  });

  it('gives way to another draft once the box is left, and not before', async () => {
    const { playground, emit } = openPanel();
    await playground.start();
    playground.draft.focused(true);
    playground.draft.type('Mine');
    await emit(withDraft('Theirs', 2));
    expect(boxText(playground.state)).toBe('Mine');
    await vi.advanceTimersByTimeAsync(400);
    await emit(withDraft('Theirs, too', 3));
    expect(boxText(playground.state)).toBe('Mine');
    playground.draft.focused(false);
    await emit(withDraft('Theirs again', 4));
    expect(boxText(playground.state)).toBe('Theirs again');
  });

  it('does not show the old draft again between a run and its snapshot', async () => {
    const { playground, emit, host } = openPanel();
    host.snapshot = { ...host.snapshot, ...withDraft('Is it cold?') };
    await playground.start();
    await playground.run();
    expect(boxText(playground.state)).toBe('');
    await emit(withDraft('', 3));
    expect(playground.state.view.draft).toBeUndefined();
  });

  it('keeps what was typed when an older document arrives after it was sent', async () => {
    const { playground, emit, host, sent } = openPanel();
    host.snapshot = { ...host.snapshot, ...withDraft('Old') };
    await playground.start();
    playground.draft.focused(true);
    playground.draft.type('New');
    playground.draft.focused(false);
    await settle();
    await emit(withDraft('Old', 3));
    expect(boxText(playground.state)).toBe('New');
    await playground.run();
    expect(sent('run/start')).toEqual([expect.objectContaining({ text: 'New' })]);
  });

  it('keeps the latest of several texts while the earlier ones come back', async () => {
    const { playground, emit } = openPanel();
    await playground.start();
    for (const text of ['One', 'Two']) {
      playground.draft.type(text);
      playground.draft.flush();
    }
    await settle();
    await emit(withDraft('One', 2));
    expect(boxText(playground.state)).toBe('Two');
    await emit(withDraft('Two', 3));
    expect(playground.state.view.draft).toBeUndefined();
    await emit(withDraft('Theirs', 4));
    expect(boxText(playground.state)).toBe('Theirs');
  });

  it('stays empty after a run until the emptied draft is told', async () => {
    const { playground, emit, host } = openPanel();
    host.snapshot = { ...host.snapshot, ...withDraft('Is it cold?') };
    await playground.start();
    await playground.run();
    await emit(withDraft('Is it cold?', 3));
    expect(boxText(playground.state)).toBe('');
    await emit(withDraft('', 4));
    expect(playground.state.view.draft).toBeUndefined();
  });
});
