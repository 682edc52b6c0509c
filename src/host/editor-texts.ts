// Takes the place of `@vscode/l10n` in the files that the extension host loads: there VS Code has loaded the translation.
import * as vscode from 'vscode';

export const { t } = vscode.l10n;
