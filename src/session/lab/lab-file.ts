// Reads and prints a lab as a small file that can be shared: its text, tools and choices. Pure.
import { t } from '@vscode/l10n';
import type { LabDocument } from '../../protocol';
import { LAB_LIMIT, LabDocumentSchema } from '../../protocol';
import { checkSchema } from '../document/check-schema';
import { findOffset } from '../document/text/json-text';
import { readDocumentText } from '../document/parse-document';
import { toProblem } from '../document/place';
import { RefusalError } from '../refusal';

/** The end of the file name. */
export const LAB_FILE_END = '.toolcall.json';

/** @throws RefusalError that says what is wrong and in which line */
export function parseLabFile(text: string): LabDocument {
  const read = readDocumentText(text);
  if ('message' in read) throw refuse(text, read);
  const checked = checkSchema(LabDocumentSchema, read.root.value);
  if ('output' in checked) return checked.output;
  const { path, message } = checked.problem;
  throw refuse(text, { offset: findOffset(read.root, path), message });
}

export const printLabFile = (document: LabDocument): string => `${JSON.stringify(document, null, 2)}\n`;

/** Makes a lab of any text. Line ends become \n, as in the page that shows it. */
export function labOfText(text: string): LabDocument {
  const lines = text.replaceAll(/\r\n?/g, '\n');
  if (lines.length <= LAB_LIMIT.text) return { version: 1, text: lines };
  throw new RefusalError({
    title: t('The text is too long'),
    what: t('It has {0} characters, and the format lab reads at most {1}.', lines.length, LAB_LIMIT.text),
    why: '',
    next: t('Select the part with the call.'),
  });
}

function refuse(text: string, at: { offset: number; message: string }): RefusalError {
  const { line, message } = toProblem(text, at);
  return new RefusalError({
    title: t('This is not a format lab file'),
    what: t('Line {0}: {1}', line, message),
    why: '',
    next: t('Open it with the text editor to correct it, or copy its text into an empty lab.'),
  });
}
