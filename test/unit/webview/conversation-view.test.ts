import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConversationView } from '../../../webview/conversation-view';
import type { Entry } from '../../../webview/state';
import { toOutcome, toRun, toTurn } from './samples';

const EDGE = 600;
const running: Entry[] = [toRun('r1')];
const ended: Entry[] = [toRun('r1', toOutcome('r1', toTurn('Cold.', [])))];

/** A conversation whose last turn ends at `end`, above a message box at 600; what is scrolled into view is kept. */
function place(html: string) {
  const root = document.createElement('div');
  root.innerHTML = `<div class="turns">${html}</div><div class="composer"></div>`;
  const seen: string[] = [];
  const at = { end: 500 };
  const composer = root.querySelector<HTMLElement>('.composer');
  if (composer) composer.getBoundingClientRect = () => new DOMRect(0, EDGE, 100, 50);
  const follow = (content: string): void => {
    const turns = root.querySelector('.turns');
    if (turns) turns.innerHTML = content;
    for (const element of root.querySelectorAll<HTMLElement>('.turns *')) {
      element.getBoundingClientRect = () => new DOMRect(0, at.end - 100, 100, 100);
      element.scrollIntoView = () => void seen.push(element.className);
    }
  };
  follow(html);
  const view = new ConversationView(root);
  const draw = (content: string, entries: Entry[]): void => {
    view.willChange();
    follow(content);
    view.hasChanged(entries);
    vi.runAllTimers();
  };
  return { draw, seen, at };
}

const WAIT = '<div class="turn"></div>';
const LIVE = '<div class="turn"><span class="caret"></span></div>';
const DONE = '<div class="turn"><div class="turn-foot"></div></div>';

beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());

describe('ConversationView', () => {
  it('brings a new turn into view, wherever the reader is', () => {
    const { draw, seen, at } = place('');
    at.end = 5000;
    draw(WAIT, running);
    expect(seen).toEqual(['turn']);
  });

  it('follows a reply whose end is in view, and its outcome', () => {
    const { draw, seen } = place('');
    draw(WAIT, running);
    draw(LIVE, running);
    draw(LIVE, running);
    draw(DONE, ended);
    expect(seen).toEqual(['turn', 'caret', 'caret', 'turn-foot']);
  });

  it.each([
    ['reads further up', 5000],
    ['reads what is below the conversation', -200],
  ])('leaves a reader alone who %s, until he is back', (_, end) => {
    const { draw, seen, at } = place('');
    draw(WAIT, running);
    draw(LIVE, running);
    seen.length = 0;
    at.end = end;
    draw(LIVE, running);
    draw(LIVE, running);
    expect(seen).toEqual([]);
    at.end = EDGE;
    draw(LIVE, running);
    expect(seen).toEqual(['caret']);
    at.end = end;
    draw(LIVE, running);
    seen.length = 0;
    draw(DONE, ended);
    expect(seen).toEqual([]);
  });

  it('shows the beginning of a reply that came in one piece', () => {
    const { draw, seen, at } = place('');
    draw(WAIT, running);
    at.end = 5000;
    draw(DONE, ended);
    expect(seen).toEqual(['turn', 'turn']);
  });
});
