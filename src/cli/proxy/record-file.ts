// The file of a recording. What is written is on the disk at once, whatever happens to this process.
import { t } from '@vscode/l10n';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { isHeadLine } from '../../recording';
import { CommandError } from '../command';
import { describeWriteError } from '../files/write-errors';

/** A recording that is forgotten must not fill the disk. In bytes. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;
/** In bytes. The head of a recording is shorter. */
const MAX_HEAD_BYTES = 16 * 1024;

export class RecordFile {
  readonly #path: string;
  readonly #file: number;
  #bytes: number;
  #isEnded = false;

  /**
   * Appends to a recording that is there; nobody else may read a new one, because what programs send is often private.
   * @throws CommandError
   */
  constructor(folder: string, name: string) {
    this.#path = resolve(folder, name);
    try {
      this.#file = openSync(this.#path, 'a+', 0o600);
      this.#bytes = fstatSync(this.#file).size;
    } catch (error) {
      const { what, next } = describeWriteError(this.#path, error);
      throw new CommandError(what, next === '' ? t('Correct --record.') : `${next}.`);
    }
    if (this.#bytes > 0) this.#goOn();
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

  /** @throws CommandError when the file is none of ours: it would be spoiled */
  #goOn(): void {
    const [head = ''] = this.#read(0, MAX_HEAD_BYTES).split('\n');
    if (!isHeadLine(head)) {
      this.close();
      throw new CommandError(
        t('{0} is no recording, so nothing is added to it.', this.#path),
        t('Name another file.'),
      );
    }
    // A process that was killed may have left half a line, and the next one would be lost with it.
    if (this.#read(this.#bytes - 1, 1) !== '\n') this.add('\n');
  }

  #read(from: number, length: number): string {
    const bytes = Buffer.alloc(Math.min(length, this.#bytes - from));
    const count = readSync(this.#file, bytes, { position: from });
    return bytes.toString('utf8', 0, count);
  }
}
