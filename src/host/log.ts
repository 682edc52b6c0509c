// The output channel. Whatever is written goes through `toVisible`, so that no text that somebody else chose looks like a
// line of ours.
import * as vscode from 'vscode';
import { toVisible } from './visible-text';

export interface Log extends vscode.Disposable {
  info(text: string): void;
  warn(text: string): void;
  /** A stack: each of its lines becomes one of the log. */
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
