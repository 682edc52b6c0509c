// Gives a text box an empty undo history whenever its text changes without being typed. Otherwise the browser would undo
// and redo what was typed before inside another text. Only a new element has an empty history.
import type { TemplateResult } from 'lit';
import type { ChildPart } from 'lit/directive.js';
import { Directive, directive } from 'lit/directive.js';
import { setCommittedValue } from 'lit/directive-helpers.js';

class FreshBox extends Directive {
  override render(_text: string, box: TemplateResult): unknown {
    return box;
  }

  override update(part: ChildPart, [text, box]: [string, TemplateResult]): unknown {
    const before = boxOf(part);
    if (before && before.value !== text) {
      const hadFocus = before === document.activeElement;
      setCommittedValue(part);
      if (hadFocus) queueMicrotask(() => boxOf(part)?.focus());
    }
    return box;
  }
}

function boxOf({ startNode }: ChildPart): HTMLInputElement | undefined {
  const next = startNode?.nextSibling;
  return next instanceof HTMLElement && 'value' in next ? (next as HTMLInputElement) : undefined;
}

/** @param box A template whose only element is the text box, with `text` as its value. */
export const freshBox = directive(FreshBox);
