// What a command has of the world around it: two streams, the environment, the folder, and Ctrl+C. Data goes to the output,
// everything that is said to a person goes beside it.
import { t } from '@vscode/l10n';
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

export interface Stream {
  write: (text: string) => void;
  /** Whether a person looks at it, so that lines may be replaced. */
  isInteractive: boolean;
  /** In characters. */
  width: () => number;
  style: (format: Format, text: string) => string;
}

export interface Terminal {
  /** Standard output, for data. */
  output: Stream;
  /** Standard error, for what is said. */
  talk: Stream;
  /** All of standard input. */
  readInput: () => Promise<string>;
  environment: Readonly<Record<string, string | undefined>>;
  /** The current folder. */
  folder: string;
  /** Calls back at each Ctrl+C. @returns a function that ends that */
  onInterrupt: (listener: () => void) => () => void;
}

const DEFAULT_WIDTH = 80;

/** Colours are off by NO_COLOR, on by FORCE_COLOR, and otherwise where a person looks. */
export function hasColors(environment: Terminal['environment'], isInteractive: boolean): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = environment;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return isInteractive && TERM !== 'dumb';
}

export const styleWith =
  (isColored: boolean): Stream['style'] =>
  (format, text) =>
    isColored ? styleText(format, text, { validateStream: false }) : text;

/** @param onLost Called when something cannot be written to the output, such as on a full disk. */
export function processTerminal(onLost: (error: Error) => void): Terminal {
  return {
    output: toStream(process.stdout, onLost),
    talk: toStream(process.stderr, () => undefined),
    readInput: async () => {
      if (process.stdin.isTTY) process.stderr.write(`${describeTyping()}\n`);
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Buffer));
      return Buffer.concat(chunks).toString('utf8');
    },
    environment: process.env,
    folder: process.cwd(),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
  };
}

/** Without it, a program that waits for its input looks as if it hung. */
const describeTyping = (): string =>
  process.platform === 'win32'
    ? t('Type or paste the text, and end it with Enter, Ctrl+Z and Enter.')
    : t('Type or paste the text, and end it with Enter and Ctrl+D.');

function toStream(stream: NodeJS.WriteStream, onLost: (error: Error) => void): Stream {
  stream.on('error', (error) => {
    // A reader that has enough, such as `head`, must not change how the command ends; a report that is lost must.
    if (!('code' in error) || error.code !== 'EPIPE') onLost(error);
  });
  const isInteractive = stream.isTTY;
  return {
    write: (text) => void stream.write(text),
    isInteractive,
    width: () => stream.columns || DEFAULT_WIDTH,
    style: styleWith(hasColors(process.env, isInteractive)),
  };
}
