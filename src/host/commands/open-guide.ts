// Opens a page of the guide in `media/docs` in the editor's preview. The walkthrough names the page.
import * as vscode from 'vscode';
import type { CommandServices } from './command-services';

const PAGES: readonly unknown[] = [
  'panel',
  'files',
  'evaluation',
  'recording',
  'terminal',
  'connections',
  'chat',
];

/** @param page any link can call the command, so a page that does not exist opens the first one */
export async function openGuide({ extensionUri }: CommandServices, page: unknown): Promise<void> {
  const name = PAGES.includes(page) ? page : PAGES[0];
  const uri = vscode.Uri.joinPath(extensionUri, 'media', 'docs', `${String(name)}.md`);
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}
