// Reads blobs line by line: one has up to 100,000 samples. A last line that is not whole is that of a process that was killed.
import { t } from '@vscode/l10n';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { isRecord } from '../../library';
import { CommandError } from '../command';
import { isMissing, messageOf } from '../files/near-files';
import type { BlobEnd, BlobHead, BlobSample } from './blob-lines';
import { BLOB_FORMAT, readBlobEnd, readBlobHead, readBlobSample } from './blob-lines';

export interface Blob {
  /** As it was named. */
  path: string;
  head: BlobHead;
  samples: BlobSample[];
  /** Absent when its process did not come to its end. */
  end?: BlobEnd | undefined;
}

/** @throws CommandError when it is no blob */
export async function readBlob(folder: string, path: string): Promise<Blob> {
  const input = createReadStream(resolve(folder, path), 'utf8');
  let blob: Blob | undefined;
  try {
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      const line = parse(text);
      if (blob) addLine(blob, line);
      else blob = { path, head: toHead(path, line), samples: [] };
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const what = isMissing(error)
      ? t('There is no file {0}.', path)
      : t('{0} cannot be read: {1}.', path, messageOf(error));
    throw new CommandError(what, t('Correct the path.'));
  } finally {
    input.destroy();
  }
  return blob ?? { path, head: toHead(path, undefined), samples: [] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function addLine(blob: Blob, line: unknown): void {
  if (!isRecord(line)) return;
  const sample = readBlobSample(line);
  if (sample) blob.samples.push(sample);
  else blob.end = readBlobEnd(line) ?? blob.end;
}

function toHead(path: string, line: unknown): BlobHead {
  const head = readBlobHead(line);
  if (!head)
    throw new CommandError(t('{0} is no blob of an evaluation.', path), t('Write one with eval --blob.'));
  if (head.format === BLOB_FORMAT) return head;
  throw new CommandError(
    t('{0} has the format {1}; this program reads {2}.', path, head.format, BLOB_FORMAT),
    t('Use the same version of the program in all jobs.'),
  );
}

const ENDING = '.jsonl';

/** @param operands Blobs, and folders of blobs. @throws CommandError */
export async function findBlobs(operands: readonly string[], folder: string): Promise<string[]> {
  const found = await Promise.all(
    operands.map(async (operand) => {
      const isFolder = await stat(resolve(folder, operand)).then(
        (state) => state.isDirectory(),
        () => false,
      );
      if (!isFolder) return [operand];
      const names = await readdir(resolve(folder, operand), { recursive: true });
      return names
        .filter((name) => name.endsWith(ENDING))
        .toSorted()
        .map((name) => join(operand, name));
    }),
  );
  const paths = found.flat();
  if (paths.length > 0) return paths;
  throw new CommandError(
    t('There is no blob in {0}.', operands.join(', ') || t('the arguments')),
    t('Name blobs that eval --blob has written, or a folder with them.'),
  );
}
