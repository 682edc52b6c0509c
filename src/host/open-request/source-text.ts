// Asks where the text with the request is: the selection, the clipboard or a file.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { pickOne } from '../dialogs';
import type { Engine } from '../load-engine';
import { readTextFile } from '../tools/read-text-file';

/**
 * @param target What the command was called with: the URI of a file, or a text. @returns undefined when the person cancelled
 * @throws UnreadRequest when a file cannot be read
 */
export async function sourceText(engine: Engine, target: unknown): Promise<string | undefined> {
  if (typeof target === 'string') return target;
  const selected = selectedText();
  if (target instanceof vscode.Uri) {
    // The menu of an editor passes its file.
    const isActive = vscode.window.activeTextEditor?.document.uri.toString() === target.toString();
    return isActive && selected !== undefined ? selected : readFile(engine, target);
  }
  const read = await pickSource(engine, selected);
  return read?.();
}

function selectedText(): string | undefined {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  return document && selection && !selection.isEmpty ? document.getText(selection) : undefined;
}

async function pickSource(
  engine: Engine,
  selected: string | undefined,
): Promise<(() => Promise<string | undefined> | string) | undefined> {
  const items = [
    ...(selected === undefined ? [] : [{ label: t('Selection'), read: () => selected }]),
    {
      label: t('Clipboard'),
      detail: t('A cURL command, an HTTP request, JSON, code, or lines of a log'),
      read: async () => vscode.env.clipboard.readText(),
    },
    {
      label: t('File…'),
      detail: t('The same as text, a HAR file, or a trace'),
      read: () => chooseFile(engine),
    },
  ];
  const title = t('Open Request');
  return (await pickOne(items, { title, placeHolder: t('Where is the request?') }))?.read;
}

async function chooseFile(engine: Engine): Promise<string | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ title: t('Open Request') })) ?? [];
  return uri && readFile(engine, uri);
}

async function readFile({ MAX_SOURCE, UnreadRequest }: Engine, uri: vscode.Uri): Promise<string> {
  try {
    return await readTextFile(uri, MAX_SOURCE);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnreadRequest(t('The file cannot be read: {0}.', why), t('Choose another file.'));
  }
}
