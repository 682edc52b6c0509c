// Reads a text file that a user chose or wrote, of any size and on any of the editor's file systems.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';

const MAX_BYTES = 8_000_000;

export interface FileState {
  mtime: number;
  size: number;
}

/** @returns undefined when the file does not exist. @throws when its state cannot be read. */
export async function readState(uri: vscode.Uri): Promise<FileState | undefined> {
  try {
    const { mtime, size } = await vscode.workspace.fs.stat(uri);
    return { mtime, size };
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** @throws when the file cannot be read or is too large. */
export async function readTextFile(uri: vscode.Uri, maxBytes = MAX_BYTES): Promise<string> {
  const state = await readState(uri);
  if (state && state.size > maxBytes) throw new Error(tooLargeMessage(maxBytes));
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (bytes.byteLength > maxBytes) throw new Error(tooLargeMessage(maxBytes));
  return new TextDecoder().decode(bytes);
}

const tooLargeMessage = (maxBytes: number): string => t('it is larger than {0} MB', maxBytes / 1_000_000);
