// Turns the editor's cancellation into the signal that the layers below take.
import type * as vscode from 'vscode';

/** @returns a signal that is aborted as soon as the token is cancelled, or at once if it already is */
export function toSignal(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
