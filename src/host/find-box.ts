// Options of a page in which the editor's own find box searches.
import * as vscode from 'vscode';

/** In a browser the editor's find box opens, too, but finds nothing. */
export const withFindBox = (): vscode.WebviewPanelOptions => ({
  enableFindWidget: vscode.env.uiKind === vscode.UIKind.Desktop,
});
