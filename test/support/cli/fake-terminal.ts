// A terminal that remembers what was written to it.
import type { Terminal } from '../../../src/cli/terminal';
import { styleWith } from '../../../src/cli/terminal';

export interface FakeTerminal extends Terminal {
  written: { output: string; talk: string };
  /** Presses Ctrl+C. */
  interrupt: () => void;
  /** Whether Ctrl+C means something. */
  isListening: () => boolean;
}

export function fakeTerminal({
  folder = '.',
  environment = {},
  input = '',
  columns,
}: Partial<
  Pick<Terminal, 'folder' | 'environment'> & {
    input: string;
    /** Of a person's terminal; absent: the streams are pipes. */
    columns: number;
  }
> = {}): FakeTerminal {
  const written = { output: '', talk: '' };
  const listeners = new Set<() => void>();
  const toStream = (name: keyof typeof written): Terminal['output'] => ({
    write: (text) => {
      written[name] += text;
    },
    isInteractive: columns !== undefined,
    width: () => columns ?? 120,
    style: styleWith(false),
  });
  return {
    written,
    folder,
    environment,
    output: toStream('output'),
    talk: toStream('talk'),
    readInput: () => Promise.resolve(input),
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isListening: () => listeners.size > 0,
    interrupt: () => {
      for (const listener of listeners) listener();
    },
  };
}
