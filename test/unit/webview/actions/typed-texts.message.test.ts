import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionSnapshot } from '../../../../src/protocol';
import { boxText } from '../../../../webview/actions/typed-fields';
import type { Playground } from '../../../../webview/playground';
import { MESSAGE_KEY } from '../../../../webview/state/view-state';
import { openPanel, settle } from '../open-panel';
import { toDocument, toLane } from '../samples';

const withDraft = (draft: string, version = 2): Partial<SessionSnapshot> => ({
  document: toDocument([toLane('a')], { draft, version }),
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const type = ({ fields }: Playground, text: string): void => fields.type(MESSAGE_KEY, text);
const leave = ({ fields }: Playground): void => fields.leave(MESSAGE_KEY);

describe('TypedTexts of the message box', () => {
  it('sends the typed text once, after a pause', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    for (const text of ['I', 'Is', 'Is it']) type(playground, text);
    await vi.advanceTimersByTimeAsync(249);
    expect(sent('message/draft')).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent('message/draft')).toEqual([{ text: 'Is it' }]);
  });

  it('sends the typed text at once when the box loses the focus or the panel closes', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    type(playground, 'One');
    leave(playground);
    type(playground, 'Two');
    playground.flush();
    playground.flush();
    await settle();
    expect(sent('message/draft')).toEqual([{ text: 'One' }, { text: 'Two' }]);
  });

  it('does not send a text that is too long until it is shorter', async () => {
    const { playground, sent } = openPanel();
    await playground.start();
    type(playground, 'x'.repeat(2_000_001));
    await vi.advanceTimersByTimeAsync(400);
    expect(boxText(playground.state)).toHaveLength(2_000_001);
    type(playground, 'x');
    await vi.advanceTimersByTimeAsync(400);
    expect(sent('message/draft')).toEqual([{ text: 'x' }]);
  });

  it('sends the typed text before an undo, then shows the text of the document', async () => {
    const { playground, emit, requests, host } = openPanel();
    host.snapshot = { ...host.snapshot, ...withDraft('Is it') };
    await playground.start();
    type(playground, 'Is it cold?');
    requests.length = 0;
    await playground.undo();
    expect(requests).toEqual([
      { method: 'message/draft', params: { text: 'Is it cold?' } },
      { method: 'document/undo', params: {} },
    ]);
    await emit(withDraft('Is it', 4));
    expect(boxText(playground.state)).toBe('Is it');
  });

  it('shows the draft of the document while nothing is typed', async () => {
    const { playground, emit } = openPanel();
    await playground.start();
    await emit(withDraft('From the text editor'));
    expect(boxText(playground.state)).toBe('From the text editor');
  });

  it('shows another draft of the document only after the box has lost the focus', async () => {
    const { playground, emit } = openPanel();
    await playground.start();
    type(playground, 'Mine');
    await emit(withDraft('Theirs', 2));
    expect(boxText(playground.state)).toBe('Mine');
    await vi.advanceTimersByTimeAsync(400);
    await emit(withDraft('Theirs, too', 3));
    expect(boxText(playground.state)).toBe('Mine');
    leave(playground);
    await emit(withDraft('Theirs again', 4));
    expect(boxText(playground.state)).toBe('Theirs again');
  });

  it('does not show the old draft between a run and its snapshot', async () => {
    const { playground, emit, host } = openPanel();
    host.snapshot = { ...host.snapshot, ...withDraft('Is it cold?') };
    await playground.start();
    await playground.run();
    expect(boxText(playground.state)).toBe('');
    await emit(withDraft('', 3));
    expect(playground.state.view.draft).toBeUndefined();
  });

  it('keeps typed text when an older document arrives after it was sent', async () => {
    const { playground, emit, host, sent } = openPanel();
    host.snapshot = { ...host.snapshot, ...withDraft('Old') };
    await playground.start();
    type(playground, 'New');
    leave(playground);
    await settle();
    await emit(withDraft('Old', 3));
    expect(boxText(playground.state)).toBe('New');
    await playground.run();
    expect(sent('run/start')).toEqual([expect.objectContaining({ text: 'New' })]);
  });

  it('keeps the latest of several typed texts while earlier ones are being confirmed', async () => {
    const { playground, emit } = openPanel();
    await playground.start();
    for (const text of ['One', 'Two']) {
      type(playground, text);
      void playground.fields.flush();
    }
    await settle();
    await emit(withDraft('One', 2));
    expect(boxText(playground.state)).toBe('Two');
    await emit(withDraft('Two', 3));
    expect(playground.state.view.draft).toBeUndefined();
    await emit(withDraft('Theirs', 4));
    expect(boxText(playground.state)).toBe('Theirs');
  });

  describe('in a panel that was hidden during typing', () => {
    async function reopen(hostDraft: string) {
      const first = openPanel();
      first.host.snapshot = { ...first.host.snapshot, ...withDraft('Is') };
      await first.playground.start();
      type(first.playground, 'Is it');
      first.playground.save();
      const second = openPanel({ a: {} }, { stored: first.saved.at(-1) });
      second.host.snapshot = { ...second.host.snapshot, ...withDraft(hostDraft) };
      await second.playground.start();
      await vi.advanceTimersByTimeAsync(400);
      const { playground } = second;
      return { shown: boxText(playground.state), sent: second.sent('message/draft'), playground };
    }

    it('keeps and sends a text that the host never received', async () => {
      const { shown, sent } = await reopen('Is');
      expect(shown).toBe('Is it');
      expect(sent).toEqual([{ text: 'Is it' }]);
    });

    it('sends nothing if the host has received the text', async () => {
      const { shown, sent, playground } = await reopen('Is it');
      expect(shown).toBe('Is it');
      expect(sent).toEqual([]);
      expect(playground.state.view).toMatchObject({ draft: undefined, typedOver: new Map() });
    });

    it('shows the document’s text if it was changed elsewhere since', async () => {
      const { shown, sent } = await reopen('Theirs');
      expect(shown).toBe('Theirs');
      expect(sent).toEqual([]);
    });
  });

  it('is empty in a panel that was hidden after a run sent it', async () => {
    const first = openPanel();
    await first.playground.start();
    type(first.playground, 'Is it cold?');
    first.playground.save();
    await first.playground.run();
    const { playground } = openPanel({ a: {} }, { stored: first.saved.at(-1) });
    await playground.start();
    expect(boxText(playground.state)).toBe('');
  });

  it('stays empty after a run until the host confirms the empty draft', async () => {
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
