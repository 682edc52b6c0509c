// Checks that a document may be sent. Independent of lanes.
import { t } from '@vscode/l10n';
import type { EditableDocument } from './editing/editable-document';
import { looksLikeSecret } from '../protocol';
import type { RefusalError } from './refusal';
import { refuse } from './refusal';

/** @throws RefusalError for a document that cannot be read or contains something like a secret */
export function checkSendable({ error, secrets }: Pick<EditableDocument, 'error' | 'secrets'>): void {
  if (error) {
    throw refuse(
      t('Line {0} of the playground cannot be read: {1}', error.line, error.message),
      t('Open it as text and correct it.'),
      t('Nothing was sent.'),
    );
  }
  const [secret] = secrets;
  if (secret !== undefined) throw secretRefusal(secret);
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
