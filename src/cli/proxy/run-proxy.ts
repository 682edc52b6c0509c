// Records another program until Ctrl+C: prints the address to use, a line for each request, and the counts.
import { t } from '@vscode/l10n';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { originOf, readNetwork } from '../../connections';
import { closeConnections } from '../../library';
import { Records, startRecording, toExchangeLine, toHeadLine } from '../../recording';
import type { Passage, Recording } from '../../recording';
import type { Call, ExitCode } from '../command';
import { CommandError, EXIT } from '../command';
import { readEnvironmentHttp } from '../connections/open-connections';
import { readKeys } from '../connections/read-keys';
import { messageOf } from '../files/read-errors';
import { describeWriteError } from '../files/write-errors';
import { madeBy } from '../made-by';
import type { PROXY_OPTIONS } from './options';
import { RequestLines } from './request-line';

/** Of the file: a recording that is forgotten must not fill the disk. In bytes. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** @throws CommandError */
export async function runProxy({ values, terminal }: Call<typeof PROXY_OPTIONS>): Promise<ExitCode> {
  const { output, talk, environment, folder } = terminal;
  const { target, origin } = checkTarget(values.target);
  const port = checkPort(values.port);
  const key = readKeys(environment).get(origin);
  const network = readNetwork(origin, { http: readEnvironmentHttp, environment }).options;
  const file = values.record === undefined ? undefined : new RecordFile(resolve(folder, values.record));
  const lines = new RequestLines(output.style);
  const records = new Records();
  const keep = (line: string): void => {
    const problem = file?.add(line);
    if (problem !== undefined) talk.write(`${problem} ${t('The rest is only shown here.')}\n`);
  };
  const options = {
    target,
    port,
    network,
    isRepairing: () => values.repair === true,
    ...(key !== undefined && { findKey: () => Promise.resolve(key) }),
    onChange: (passage: Passage) => {
      const record = passage.endMs === undefined ? undefined : records.toRecord(passage);
      if (!record) return;
      output.write(lines.add(record));
      keep(toExchangeLine(record));
    },
  };
  const recording = await start(options, file);
  keep(toHeadLine({ target, startedAt: Date.now(), madeBy: madeBy() }));
  talk.write(describeStart(recording, target, key !== undefined));
  await new Promise<void>((stopped) => {
    const forget = terminal.onInterrupt(() => {
      forget();
      stopped();
    });
  });
  await recording.close();
  await closeConnections();
  file?.close();
  const kept = file ? ` → ${values.record}` : '';
  talk.write(`${lines.summary()}${kept}\n`);
  return EXIT.done;
}

function describeStart({ address, root }: Recording, target: string, hasKey: boolean): string {
  const also = address === root ? [] : [t('A program that adds /v1 itself needs {0} instead.', root)];
  return [
    t('Use this address in the program instead of {0}:', target),
    '',
    `  ${address}`,
    '',
    ...also,
    hasKey
      ? t('A program that sends no key, or a short word in its place, gets the key for this origin.')
      : t('The program sends its own key, if the server needs one.'),
    t('The address works on this computer only. Ctrl+C ends the recording.'),
    '',
    '',
  ].join('\n');
}

/** @throws CommandError */
function checkTarget(target: string | undefined): { target: string; origin: string } {
  const example = 'provider-playground proxy --target http://127.0.0.1:8080/v1';
  if (target === undefined)
    throw new CommandError(t('It is not said which server answers.'), t('Name it: {0}', example));
  const origin = originOf(target);
  // What the recording could not pass on, or would show.
  const { search = '', username = '', password = '' } = URL.canParse(target) ? new URL(target) : {};
  if (origin === undefined || search + username + password !== '')
    throw new CommandError(
      t('--target is no http address without a user name, a password and a query.'),
      t('Name it: {0}', example),
    );
  return { target, origin };
}

/** @throws CommandError */
function checkPort(port: string | undefined): number | undefined {
  if (port === undefined) return undefined;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new CommandError(t('--port is no port.'), t('Give a number up to 65535, or leave it out.'));
  return Number(port);
}

/** @throws CommandError */
async function start(
  options: Parameters<typeof startRecording>[0],
  file: RecordFile | undefined,
): Promise<Recording> {
  try {
    return await startRecording(options);
  } catch (error) {
    file?.close();
    throw new CommandError(
      t('The address cannot be opened on port {0}.', options.port ?? 0),
      t('Choose another --port, or leave it out.'),
      whyNoPort(error),
    );
  }
}

function whyNoPort(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return t('Another program uses it.');
  if (code === 'EACCES') return t('The system keeps it for administrators.');
  return messageOf(error);
}

/** The file of a recording. What is written is on the disk at once, whatever happens to this process. */
class RecordFile {
  readonly #path: string;
  readonly #file: number;
  #bytes: number;
  #isEnded = false;

  /** Appends to a file that is there; nobody else may read a new one, because what programs send is often private. @throws CommandError */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#file = openSync(path, 'a', 0o600);
      this.#bytes = fstatSync(this.#file).size;
    } catch (error) {
      const { what, next } = describeWriteError(path, error);
      throw new CommandError(what, next === '' ? t('Correct --record.') : `${next}.`);
    }
  }

  /** Nothing is written behind a line that is not whole. @returns why no more is written, said once; undefined otherwise */
  add(line: string): string | undefined {
    if (this.#isEnded) return undefined;
    this.#bytes += Buffer.byteLength(line);
    this.#isEnded = this.#bytes > MAX_FILE_BYTES;
    if (this.#isEnded) return t('{0} is full.', this.#path);
    try {
      writeSync(this.#file, line);
      return undefined;
    } catch (error) {
      this.#isEnded = true;
      return describeWriteError(this.#path, error).what;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
