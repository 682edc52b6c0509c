// Records another program until Ctrl+C: prints the address to use, a line for each request, and the counts.
import { t } from '@vscode/l10n';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { originOf, readNetwork } from '../../connections';
import { closeConnections } from '../../library';
import { Records, startRecording, toExchangeLine, toHeadLine } from '../../recording';
import type { Recording } from '../../recording';
import type { Call, ExitCode } from '../command';
import { CommandError, EXIT } from '../command';
import { readEnvironmentHttp } from '../connections/open-connections';
import { readKeys } from '../connections/read-keys';
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
  const file =
    values.record === undefined ? undefined : await RecordFile.open(resolve(folder, values.record), target);
  const lines = new RequestLines(output.style);
  const records = new Records();
  const recording = await start({
    target,
    port,
    network,
    isRepairing: () => values.repair === true,
    ...(key !== undefined && { findKey: () => Promise.resolve(key) }),
    onChange: (passage) => {
      const record = passage.endMs === undefined ? undefined : records.toRecord(passage);
      if (!record) return;
      output.write(lines.add(record));
      if (file?.add(toExchangeLine(record)) === false)
        talk.write(`${t('{0} is full: the rest is only shown here.', values.record ?? '')}\n`);
    },
  });
  talk.write(describeStart(recording, target, key !== undefined));
  await new Promise<void>((stopped) => {
    const forget = terminal.onInterrupt(() => {
      forget();
      stopped();
    });
  });
  await recording.close();
  await closeConnections();
  await file?.close();
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
  if (origin === undefined || /^https?:\/\/[^/]*@/i.test(target))
    throw new CommandError(
      t('--target is no http address without a user name and a password.'),
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
async function start(options: Parameters<typeof startRecording>[0]): Promise<Recording> {
  try {
    return await startRecording(options);
  } catch (error) {
    throw new CommandError(
      t('The address cannot be opened on port {0}.', options.port ?? 0),
      t('Choose another --port, or leave it out.'),
      error instanceof Error ? error.message : '',
    );
  }
}

class RecordFile {
  readonly #stream: WriteStream;
  #bytes = 0;
  #isFull = false;

  private constructor(stream: WriteStream) {
    this.#stream = stream;
  }

  /** Appends, and lets nobody else read it: what programs send is often private. @throws CommandError */
  static async open(path: string, target: string): Promise<RecordFile> {
    const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
    try {
      await once(stream, 'open');
    } catch (error) {
      throw new CommandError(
        t('{0} cannot be written.', path),
        t('Correct --record.'),
        error instanceof Error ? error.message : '',
      );
    }
    // Said when it is closed.
    stream.on('error', () => undefined);
    const file = new RecordFile(stream);
    file.add(toHeadLine({ target, startedAt: Date.now(), madeBy: madeBy() }));
    return file;
  }

  /** @returns false for the first line that has no room */
  add(line: string): boolean {
    if (this.#isFull) return true;
    this.#bytes += Buffer.byteLength(line);
    this.#isFull = this.#bytes > MAX_FILE_BYTES;
    if (!this.#isFull) this.#stream.write(line);
    return !this.#isFull;
  }

  /** @throws CommandError when something could not be written */
  async close(): Promise<void> {
    const { errored } = this.#stream;
    if (!errored && !this.#stream.closed) {
      this.#stream.end();
      await once(this.#stream, 'close');
    }
    const failure = this.#stream.errored;
    if (failure)
      throw new CommandError(t('The recording could not be written.'), t('Check the disk.'), failure.message);
  }
}
