// Checks that a document may be sent. Independent of lanes.
import { t } from '@vscode/l10n';
import type { EditableDocument } from './editing/editable-document';
import { looksLikeSecret } from '../protocol';
import type { RefusalError } from './refusal';
import { refuse } from './refusal';

type Checked = Pick<EditableDocument, 'error' | 'secrets'>;

/** Why nothing of a document can be sent: it cannot be read, or contains something like a secret. */
export function findRefusal({ error, secrets: [secret] }: Checked): RefusalError | undefined {
  if (!error) return secret === undefined ? undefined : secretRefusal(secret);
  const what = t('Line {0} of the playground cannot be read: {1}', error.line, error.message);
  return refuse(what, t('Open it as text and correct it.'), t('Nothing was sent.'));
}

/** @throws RefusalError for a document of which nothing can be sent */
export function checkSendable(document: Checked): void {
  const refusal = findRefusal(document);
  if (refusal) throw refusal;
}

/** Checks a message before it is written into the document. @throws RefusalError */
export function checkText(text: string | undefined): void {
  if (text !== undefined && looksLikeSecret(text)) {
    throw secretRefusal(t('The message contains text that looks like a secret.'));
  }
}

const secretRefusal = (what: string): RefusalError =>
  refuse(
    what,
    t('Remove it from the playground, and give the key to the connection with Set API Key.'),
    t('A playground file is shared and committed. Nothing was sent.'),
  );
