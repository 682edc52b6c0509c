// A sequence of quick picks and input boxes with a step count and a back button. Independent of the questions.
import * as vscode from 'vscode';
import type { ListContents, StepPlace } from '../../dialogs';
import { openList, openTextBox } from '../../dialogs';

type Answer<T> = { value: T } | 'back' | 'cancel';

export type StepResult = 'next' | 'back' | 'cancel';

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
    at = Math.max(0, at + (answer === 'next' ? 1 : -1));
  }
}

type PickOptions<T> = Omit<ListContents<T>, 'items'> & { items: readonly T[] | Promise<readonly T[]> };

interface Choice<T> {
  item: T;
  /** What the list was filtered by. */
  typed: string;
}

export function pickOne<T extends vscode.QuickPickItem>(
  place: StepPlace,
  { items, ...options }: PickOptions<T>,
): Promise<Answer<Choice<T>>> {
  const list = openList(place, { ...options, items: Promise.resolve(items) });
  return show(list, () => {
    const [chosen] = list.selectedItems;
    return chosen && { value: { item: chosen.item, typed: list.value.trim() } };
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

function show<T>(input: Input, read: () => { value: T } | undefined): Promise<Answer<T>> {
  if ((input.step ?? 1) > 1) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const end = (answer: Answer<T>): void => {
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
  });
}
