// All dialogs, notifications and pick lists of VS Code. Every text passes through `toVisible` here, so no other
// file of the host opens one.
import * as vscode from 'vscode';
import { toVisible, toVisibleLines } from '../inspect';

type Kind = 'information' | 'warning' | 'error';

interface MessageOptions {
  /** Blocks the window until it is answered. @default false */
  modal?: boolean;
  /** Text below a modal message; may have several lines. */
  detail?: string;
}

/** @param buttons Labels, which must be our own texts. @returns the label of the pressed button */
export async function showMessage(
  kind: Kind,
  message: string,
  options: MessageOptions = {},
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const { detail, modal = false } = options;
  const shown = { modal, ...(detail !== undefined && { detail: toVisibleLines(detail) }) };
  const rest = [toVisible(message), ...(modal ? [shown] : []), ...buttons] as [string, ...string[]];
  if (kind === 'error') return vscode.window.showErrorMessage(...rest);
  if (kind === 'warning') return vscode.window.showWarningMessage(...rest);
  return vscode.window.showInformationMessage(...rest);
}

const show = <T extends vscode.QuickPickItem>(item: T): T & { item: T } => ({
  ...item,
  label: toVisible(item.label),
  ...(item.description !== undefined && { description: toVisible(item.description) }),
  ...(item.detail !== undefined && { detail: toVisible(item.detail) }),
  item,
});

/** A panel that regains the focus from the previous list must not close the next one. */
const STAYING = { ignoreFocusOut: true };

export async function pickOne<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder'>,
): Promise<T | undefined> {
  return (await vscode.window.showQuickPick(items.map(show), { ...options, ...STAYING }))?.item;
}

export async function pickMany<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder'>,
): Promise<T[] | undefined> {
  const all = {
    ...options,
    ...STAYING,
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  } as const;
  return (await vscode.window.showQuickPick(items.map(show), all))?.map(({ item }) => item);
}

export interface TextQuestion {
  title: string;
  prompt: string;
  /** Initial value. @default '' */
  value?: string;
  /** @returns the problem with the typed value, which must be our own text. */
  validate: (value: string) => string | undefined;
}

export async function askForText({
  title,
  prompt,
  value = '',
  validate,
}: TextQuestion): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: toVisible(title),
    prompt: toVisible(prompt),
    value,
    ignoreFocusOut: true,
    validateInput: (typed) => toVisible(validate(typed) ?? ''),
  });
}

/** Asks for a masked text; the box stays open when the window loses the focus. */
export async function askForSecret({ title, prompt, validate }: TextQuestion): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: toVisible(title),
    prompt: toVisible(prompt),
    password: true,
    ignoreFocusOut: true,
    validateInput: validate,
  });
}

/** Position of a question within a sequence. */
export interface StepPlace {
  title: string;
  step: number;
  totalSteps: number;
}

export interface ListContents<T> {
  placeholder: string;
  /** The list is shown as busy until they are available. */
  items: Promise<readonly T[]>;
  /** Changes an item according to what is typed. @default no change */
  adapt?: ((item: T, typed: string) => T) | undefined;
}

/** A pick list that stays open until it is disposed of, even if the window loses the focus. */
export function openList<T extends vscode.QuickPickItem>(
  { title, ...place }: StepPlace,
  { placeholder, items, adapt }: ListContents<T>,
): vscode.QuickPick<T & { item: T }> {
  const list = vscode.window.createQuickPick<T & { item: T }>();
  const texts = { title: toVisible(title), placeholder: toVisible(placeholder) };
  Object.assign(list, { ...place, ...texts, ignoreFocusOut: true, matchOnDescription: true, busy: true });
  const fill = async (): Promise<void> => {
    const available = await items;
    list.items = available.map((item) => show(adapt?.(item, list.value.trim()) ?? item));
    list.busy = false;
  };
  void fill();
  if (adapt) list.onDidChangeValue(() => void fill());
  return list;
}

/** A text box that stays open in the same way. */
export function openTextBox({ title, ...place }: StepPlace, prompt: string): vscode.InputBox {
  const box = vscode.window.createInputBox();
  const texts = { title: toVisible(title), prompt: toVisible(prompt) };
  return Object.assign(box, { ...place, ...texts, ignoreFocusOut: true });
}
