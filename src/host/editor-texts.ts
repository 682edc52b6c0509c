// Replaces `@vscode/l10n` in the files that the extension host loads, where VS Code has already loaded the
// translation.
import * as vscode from 'vscode';

export const { t } = vscode.l10n;
