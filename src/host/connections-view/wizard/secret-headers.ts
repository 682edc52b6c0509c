// Sets a secret header of a connection, which is stored and bound like its key.
import { t } from '@vscode/l10n';
import type { Connection, KeyTarget } from '../../../connections';
import { ConnectionProblem, isKeyStoreError } from '../../../connections';
import { askForSecret, askForText, pickOne, showMessage } from '../../dialogs';
import { loadEngine } from '../../load-engine';
import { connectionOf } from '../connection-of';
import type { KeyServices } from '../../commands/key-dialogs';

/** In characters: shorter values cannot be redacted reliably where a server repeats them. */
const MIN_LENGTH = 8;

/** @param given What the command was called on, such as a tree item. */
export async function setSecretHeader(services: KeyServices, given?: unknown): Promise<void> {
  const connection = connectionOf(services, given) ?? (await pickCatalogConnection(services));
  if (!connection) return;
  const target = await services.connections.headerTarget(connection);
  if (!target) {
    const what = t('{0} does not support secret headers, or has no usable address.', connection.label);
    throw new ConnectionProblem('setting', what);
  }
  const { confirmUnencrypted, offerSessionKey } = await import('../../commands/key-dialogs');
  if (target.origin !== undefined && !(await confirmUnencrypted(target.origin))) return;
  const header = await askForName(services, connection, target);
  const value = header && (await askForValue(connection, target, header));
  if (!header || !value) return;
  const { keys } = services;
  try {
    await keys.set(target.id, target.binding, value, { header });
  } catch (error) {
    if (!isKeyStoreError(error)) throw error;
    await offerSessionKey(() => keys.setForSession(target.id, target.binding, value, { header }));
  }
}

async function pickCatalogConnection({ connections }: KeyServices): Promise<Connection | undefined> {
  const found = await Promise.all(
    connections.list().map(async (connection) => ({
      connection,
      target: await connections.headerTarget(connection),
    })),
  );
  const items = found.flatMap(({ connection, target }) =>
    target ? [{ label: connection.label, description: target.recipient, connection }] : [],
  );
  if (items.length === 0) {
    const text = t('You have not set up a connection yet. Add one first.');
    void showMessage('information', text);
    return undefined;
  }
  return (await pickOne(items, { title: t('Set a secret header of') }))?.connection;
}

/** Asks for the name: one of the existing secret headers to replace, or a new one. */
async function askForName(
  { connections }: KeyServices,
  connection: Connection,
  { recipient }: KeyTarget,
): Promise<string | undefined> {
  const names = await connections.secretHeaderNames(connection);
  const title = t('Secret header for {0}', recipient);
  if (names.length > 0) {
    const another = { label: t('Another header…'), name: undefined };
    const known = names.map((name) => ({
      label: name,
      description: t('has a value; a new one replaces it'),
      name,
    }));
    const picked = await pickOne([...known, another], { title });
    if (!picked || picked.name !== undefined) return picked?.name;
  }
  const check = await loadNameCheck();
  const name = await askForText({
    title,
    prompt: t('Name of the header, such as X-Auth-Token'),
    validate: (text) => check(text.trim()),
  });
  return name?.trim();
}

/** Checks a name by the library's rules, so that what is accepted here can be sent. */
async function loadNameCheck(): Promise<(name: string) => string | undefined> {
  const { PROVIDER_CATALOG, library } = await loadEngine();
  const [entry] = PROVIDER_CATALOG;
  return (name) => {
    if (name === '') return undefined;
    try {
      entry?.create({ host: 'http://127.0.0.1', model: '-', headers: { [name]: '-' } });
      return undefined;
    } catch (error) {
      return error instanceof library.InvalidOptionsError ? error.explanation.why : String(error);
    }
  };
}

async function askForValue(
  { label, scope }: Connection,
  { recipient, wider }: KeyTarget,
  header: string,
): Promise<string | undefined> {
  const prompt = wider
    ? t(
        '{0}. Stored in the secret storage of VS Code and sent to {1} only, as long as the workspace settings change nothing other than {2}.',
        label,
        recipient,
        wider.changes,
      )
    : t('{0}. Stored in the secret storage of VS Code and sent to {1} only.', label, recipient);
  const value = await askForSecret({
    title: t('Header {0} for {1} ({2} setting)', header, recipient, scope),
    prompt,
    validate: checkValue,
  });
  return value?.trim();
}

function checkValue(value: string): string | undefined {
  const text = value.trim();
  if (!/^[\x20-\x7e]*$/.test(text)) return t('A header contains only printable ASCII characters.');
  return text.length > 0 && text.length < MIN_LENGTH
    ? t('It has fewer than {0} characters, so it cannot be distinguished from ordinary words.', MIN_LENGTH)
    : undefined;
}
