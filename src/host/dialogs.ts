// The dialogs, toasts and lists of VS Code. Every text goes through `toVisible` here, whoever chose it: so no other file
// of the host opens one.
import * as vscode from 'vscode';
import { toVisible, toVisibleLines } from './visible-text';

type Kind = 'information' | 'warning' | 'error';

interface MessageOptions {
  /** In front of everything, until it is answered. @default false */
  modal?: boolean;
  /** Below the message of a modal one; may have several lines. */
  detail?: string;
}

/** @param buttons Texts of our own. @returns the one that was pressed */
export async function showMessage(
  kind: Kind,
  message: string,
  options: MessageOptions = {},
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const { window } = vscode;
  const { detail, modal = false } = options;
  const shown = { modal, ...(detail !== undefined && { detail: toVisibleLines(detail) }) };
  const rest = [toVisible(message), ...(modal ? [shown] : []), ...buttons] as [string, ...string[]];
  if (kind === 'error') return window.showErrorMessage(...rest);
  return kind === 'warning' ? window.showWarningMessage(...rest) : window.showInformationMessage(...rest);
}

const show = <T extends vscode.QuickPickItem>(item: T): T & { item: T } => ({
  ...item,
  label: toVisible(item.label),
  ...(item.description !== undefined && { description: toVisible(item.description) }),
  ...(item.detail !== undefined && { detail: toVisible(item.detail) }),
  item,
});

/** A panel that gets the keyboard back from the list before must not close the next one. */
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
  /** What is in the box at first. @default '' */
  value?: string;
  /** @returns what is wrong with what was typed, in words of our own */
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

/** What is typed is not seen, and the box stays when another window is in front. */
export async function askForSecret({ title, prompt, validate }: TextQuestion): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: toVisible(title),
    prompt: toVisible(prompt),
    password: true,
    ignoreFocusOut: true,
    validateInput: validate,
  });
}

/** Where a question stands among several. */
export interface StepPlace {
  title: string;
  step: number;
  totalSteps: number;
}

/** A list that stays until it is disposed of, in front of other windows too. @param items It is busy until they are there. */
export function openList<T extends vscode.QuickPickItem>(
  { title, ...place }: StepPlace,
  placeholder: string,
  items: Promise<readonly T[]>,
): vscode.QuickPick<T & { item: T }> {
  const list = vscode.window.createQuickPick<T & { item: T }>();
  const texts = { title: toVisible(title), placeholder: toVisible(placeholder) };
  Object.assign(list, { ...place, ...texts, ignoreFocusOut: true, matchOnDescription: true, busy: true });
  const fill = async (): Promise<void> => {
    list.items = (await items).map(show);
    list.busy = false;
  };
  void fill();
  return list;
}

/** A box for a text, for as long. @param prompt Words of our own. */
export function openTextBox({ title, ...place }: StepPlace, prompt: string): vscode.InputBox {
  const box = vscode.window.createInputBox();
  return Object.assign(box, { ...place, title: toVisible(title), prompt, ignoreFocusOut: true });
}
