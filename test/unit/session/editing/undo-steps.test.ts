import { describe, expect, test } from 'vitest';
import type { UndoDirection } from '../../../../src/session/editing/undo-steps';
import { UndoSteps } from '../../../../src/session/editing/undo-steps';
import { fc, runs } from '../../../support/arbitrary/properties';

/** A text that is changed by edits, and by the steps back and forth. */
class Text {
  text = '';
  readonly #steps = new UndoSteps();

  edit(text: string, isStep = true): void {
    this.#steps.add(this.text, text, isStep);
    this.text = text;
  }

  forget(): void {
    this.#steps.forget();
  }

  take(direction: UndoDirection): string {
    const edit = this.#steps.take(direction, this.text);
    if (!edit) return 'none';
    this.text = this.text.slice(0, edit.offset) + edit.text + this.text.slice(edit.offset + edit.length);
    return this.text;
  }
}

const textOf = (...texts: string[]): Text => {
  const text = new Text();
  for (const each of texts) text.edit(each);
  return text;
};

describe('UndoSteps', () => {
  test('undoes edits from the last one on, and redoes them', () => {
    const text = textOf('a', 'a b', 'b');
    for (const before of ['a b', 'a', '', 'none']) expect(text.take('undo')).toBe(before);
    for (const after of ['a', 'a b', 'b', 'none']) expect(text.take('redo')).toBe(after);
    expect(text.take('undo')).toBe('a b');
  });

  test('replaces only what differs', () => {
    const steps = new UndoSteps();
    steps.add('{ "a": 1, "b": 2 }', '{ "a": 1, "b": 23 }', true);
    expect(steps.take('undo', '{ "a": 1, "b": 23 }')).toEqual({ offset: 16, length: 1, text: '' });
  });

  test('redoes nothing after a new edit', () => {
    const text = textOf('a', 'b');
    text.take('undo');
    text.edit('c');
    expect(text.take('redo')).toBe('none');
    expect([text.take('undo'), text.take('undo')]).toEqual(['a', '']);
  });

  test('makes no step of an edit that changes nothing, and keeps what can be redone', () => {
    const text = textOf('a', 'b');
    text.take('undo');
    text.edit('a');
    expect(text.take('redo')).toBe('b');
  });

  test('forgets all steps when somebody else has changed the text', () => {
    const undone = textOf('a', 'b');
    undone.text = 'outside';
    expect([undone.take('undo'), undone.take('redo')]).toEqual(['none', 'none']);
    const edited = textOf('a', 'b');
    edited.text = 'outside';
    edited.edit('outside, inside');
    expect([edited.take('undo'), edited.take('undo')]).toEqual(['outside', 'none']);
  });

  test('can be made to forget', () => {
    const text = textOf('a', 'b');
    text.take('undo');
    text.forget();
    expect([text.take('undo'), text.take('redo')]).toEqual(['none', 'none']);
  });

  describe('leaves a change that is no step', () => {
    test.each([
      ['before the text of the step', '1 tool, new message, lane', '1 tool, new message, lane, lane'],
      ['behind it', '1 tool, message, lane new', '1 tool, message, lane, lane new'],
    ])('%s', (_, changed, undone) => {
      const text = textOf('1 tool, message, lane, lane', '1 tool, message, lane');
      text.edit(changed, false);
      expect(text.take('undo')).toBe(undone);
      expect(text.take('redo')).toBe(changed);
    });

    test('between two steps', () => {
      const text = textOf('[a] [m] [z]', '[] [m] [z]', '[] [m] []');
      text.edit('[] [mmm] []', false);
      expect(text.take('undo')).toBe('[] [mmm] [z]');
      expect(text.take('undo')).toBe('[a] [mmm] [z]');
      expect(text.take('redo')).toBe('[] [mmm] [z]');
      expect(text.take('redo')).toBe('[] [mmm] []');
    });

    test('in the text of a step, which is dropped with those before it, and not with those after it', () => {
      const text = textOf('a b c', 'a2 b c', 'a2 bbbb c', 'a2 bbbb c2');
      text.edit('a2 bb c2', false);
      expect(text.take('undo')).toBe('a2 bb c');
      expect(text.take('undo')).toBe('none');
    });

    test('after which nothing can be redone', () => {
      const text = textOf('a b', 'a2 b');
      text.take('undo');
      text.edit('a b b', false);
      expect(text.take('redo')).toBe('none');
    });

    test('wherever it is', () => {
      const part = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 });
      const change = fc.record({ index: fc.nat({ max: 3 }), part });
      fc.assert(
        fc.property(fc.tuple(part, part, part, part), fc.array(change), (start, changes) => {
          // Part 3 is the conversation: only the other parts may be different after all steps are undone.
          const parts = [...start];
          const print = (): string => parts.map((each) => `<${each}>`).join('');
          const text = textOf(print());
          for (const { index, part: next } of changes) {
            parts[index] = next;
            text.edit(print(), index !== 3);
          }
          const ends = (): string => text.text.split('<').at(-1) ?? '';
          const conversation = ends();
          let undone = text.take('undo');
          while (undone !== 'none' && undone !== '') {
            expect(ends()).toBe(conversation);
            undone = text.take('undo');
          }
        }),
        { numRuns: runs(1_000) },
      );
    });
  });

  test('keeps the last hundred steps', () => {
    const text = textOf(...Array.from({ length: 150 }, (_, index) => `${index}`));
    let count = 0;
    while (text.take('undo') !== 'none') count++;
    expect(count).toBe(100);
    expect(text.text).toBe('49');
  });

  test('keeps fewer steps if they are long', () => {
    const text = textOf(...['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(3_000_000)));
    let count = 0;
    while (text.take('undo') !== 'none') count++;
    expect(count).toBe(3);
  });

  test('returns to every earlier text, whatever was edited', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '😀') })), (texts) => {
        const text = textOf(...texts);
        const seen = ['', ...texts].filter((each, index, all) => each !== all[index - 1]);
        for (const before of seen.slice(0, -1).toReversed()) expect(text.take('undo')).toBe(before);
        for (const after of seen.slice(1)) expect(text.take('redo')).toBe(after);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
