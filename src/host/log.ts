// The output channel. All texts pass through `toVisible`, so that no text from others can pass for a line of our
// own.
import * as vscode from 'vscode';
import { toVisible } from '../inspect';

export interface Log extends vscode.Disposable {
  info(text: string): void;
  warn(text: string): void;
  /** Logs a stack trace, each line as a log line of its own. */
  error(text: string): void;
  show(preserveFocus?: boolean): void;
}

export function openLog(): Log {
  const channel = vscode.window.createOutputChannel('Provider Playground', { log: true });
  return {
    info: (text) => channel.info(toVisible(text)),
    warn: (text) => channel.warn(toVisible(text)),
    error: (text) => {
      for (const [index, line] of text.split('\n').entries())
        channel.error(index === 0 ? toVisible(line) : `  ${toVisible(line)}`);
    },
    show: (preserveFocus) => channel.show(preserveFocus),
    dispose: () => channel.dispose(),
  };
}
