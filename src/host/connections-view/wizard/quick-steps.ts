// A sequence of quick picks and input boxes with a step count and a back button. Independent of the questions.
import * as vscode from 'vscode';
import type { ListContents, StepPlace } from '../../dialogs';
import { openList, openTextBox } from '../../dialogs';

type Answer<T> = { value: T } | 'back' | 'cancel';

/** `again`: another step may have become necessary; the one that is now at this place is asked. */
export type StepResult = 'next' | 'back' | 'cancel' | 'again';

const MOVES = { next: 1, again: 0, back: -1 };

export interface Step<S> {
  isNeeded?: (state: S) => boolean;
  /** Asks and writes the answer into the state. */
  ask: (state: S, place: StepPlace) => Promise<StepResult>;
}

/** @returns whether all steps were answered. */
export async function askSteps<S>(title: string, state: S, steps: readonly Step<S>[]): Promise<boolean> {
  const isNeeded = ({ isNeeded: check = () => true }: Step<S>): boolean => check(state);
  for (let at = 0; ;) {
    // An answer may make a later step unnecessary.
    const needed = steps.filter(isNeeded);
    const step = needed[at];
    if (!step) return true;
    const answer = await step.ask(state, { title, step: at + 1, totalSteps: needed.length });
    if (answer === 'cancel') return false;
    at = Math.max(0, at + MOVES[answer]);
  }
}

type PickOptions<T> = Omit<ListContents<T>, 'items'> & {
  /** `again` instead of items ends the question with that answer. Never rejects. */
  items: readonly T[] | Promise<readonly T[] | 'again'>;
};

interface Choice<T> {
  item: T;
  /** What the list was filtered by. */
  typed: string;
}

export function pickOne<T extends vscode.QuickPickItem>(
  place: StepPlace,
  { items, ...options }: PickOptions<T>,
): Promise<Answer<Choice<T>> | 'again'> {
  const loaded = Promise.resolve(items);
  const list = openList(place, {
    ...options,
    items: loaded.then((found) => (found === 'again' ? [] : found)),
  });
  const read = () => {
    const [chosen] = list.selectedItems;
    return chosen && { value: { item: chosen.item, typed: list.value.trim() } };
  };
  return show(list, read, (end: (answer: 'again') => void) => {
    void loaded.then((found) => found === 'again' && end(found));
  });
}

/** Problem with a text while it is typed; an error prevents its acceptance. */
export type TextCheck = string | vscode.InputBoxValidationMessage | undefined;

interface TextOptions {
  prompt: string;
  value?: string;
  placeholder?: string;
  /** Range that is selected, to be replaced by typing. */
  selection?: [number, number] | undefined;
  /** Whether the text is a secret, of which nothing is shown. @default false */
  password?: boolean;
  check: (text: string) => TextCheck;
}

export function typeText(
  place: StepPlace,
  { check, prompt, value = '', placeholder = '', selection, password = false }: TextOptions,
): Promise<Answer<string>> {
  const box = openTextBox(place, prompt);
  // An empty box shows its prompt: nothing that was typed is wrong yet.
  Object.assign(box, {
    value,
    placeholder,
    password,
    ...(value !== '' && { validationMessage: check(value) }),
  });
  if (selection) box.valueSelection = selection;
  box.onDidChangeValue((text) => (box.validationMessage = check(text)));
  return show(box, () => {
    box.validationMessage = check(box.value);
    return isError(box.validationMessage) ? undefined : { value: box.value.trim() };
  });
}

function isError(found: TextCheck): boolean {
  if (found === undefined || typeof found === 'string') return found !== undefined;
  return found.severity === vscode.InputBoxValidationSeverity.Error;
}

type Input = (vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox) & {
  onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
};

/** @param started Called with a function that ends the question. */
function show<T, Other = never>(
  input: Input,
  read: () => { value: T } | undefined,
  started?: (end: (answer: Other) => void) => void,
): Promise<Answer<T> | Other> {
  if ((input.step ?? 1) > 1) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const end = (answer: Answer<T> | Other): void => {
      resolve(answer);
      input.dispose();
    };
    input.onDidAccept(() => {
      const answer = read();
      if (answer) end(answer);
    });
    input.onDidTriggerButton(() => end('back'));
    // Also called when the input is disposed; by then an answer has settled the promise.
    input.onDidHide(() => end('cancel'));
    input.show();
    started?.(end);
  });
}
