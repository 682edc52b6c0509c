// Dialogs for entering and forgetting a key, used by the commands and the panel.
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiKeys, Connection, ConnectionService, GivenSecret, KeyTarget } from '../../connections';
import { ConnectionProblem, isKeyStoreError, isLoopback } from '../../connections';
import { toLabel } from '../../inspect';
import { replaceNoAuth } from '../connections-view/own-settings';
import { countModels } from '../connections-view/state-words';
import type { StepResult } from '../connections-view/wizard/quick-steps';
import { typeText } from '../connections-view/wizard/quick-steps';
import type { StepPlace } from '../dialogs';
import { askForSecret, showMessage } from '../dialogs';

export interface KeyServices {
  connections: ConnectionService;
  keys: ApiKeys;
}

/**
 * Asks for the key of a listed connection, lets the connection send it, and tries it.
 * @throws ConnectionProblem when the connection takes no key.
 */
export async function setKey(services: KeyServices, connection: Connection): Promise<void> {
  const keyed = services.connections.withKey(connection) ?? connection;
  if ((await askForKey(services, keyed)) !== 'next') return;
  if (keyed !== connection) await replaceNoAuth(keyed.id, keyed.setting.auth);
  // Not waited for: the notification stays until it is closed.
  void tryKey(services, keyed);
}

/** In milliseconds. */
const TRY_LIMIT_MS = 15_000;

/** Says at once when the server refuses the key. Any other failure says nothing about it. Never rejects. */
async function tryKey(services: KeyServices, connection: Connection): Promise<void> {
  const { connections } = services;
  const limits = { signal: AbortSignal.timeout(TRY_LIMIT_MS), timeoutMs: TRY_LIMIT_MS };
  try {
    const { models } = await connections.describeServer(connection, limits);
    const count = countModels(models.length);
    const text = t('The key is stored. With it, {0} lists {1}.', toLabel(connection.label), count);
    vscode.window.setStatusBarMessage(text, 10_000);
  } catch (error) {
    const { isKeyWanted, why, next } = await connections.explain(error, connection);
    if (!isKeyWanted) return;
    const again = t('Set Another Key');
    const answer = await showMessage('error', toLabel(`${connection.label}: ${why} ${next}`, 400), {}, again);
    if (answer === again) await setKey(services, connection);
  }
}

/**
 * @param place Place of the question within a sequence. @default a box of its own
 * @returns 'next' once there is a key; 'back' also when another dialog about it was closed.
 * @throws ConnectionProblem when the connection takes no key.
 */
export async function askForKey(
  { connections, keys }: KeyServices,
  connection: Connection,
  place?: StepPlace,
): Promise<StepResult> {
  const target = await connections.keyTarget(connection);
  if (!target) {
    throw new ConnectionProblem(
      'setting',
      t('{0} needs no API key, or has no usable address.', connection.label),
    );
  }
  const { origin, recipient } = target;
  const hasKey = async (): Promise<StepResult> =>
    (await keys.get(target.id, target.binding)) === undefined ? 'back' : 'next';
  if (origin !== undefined && !(await confirmUnencrypted(origin))) return 'back';
  const isSettled = await offerKnownKey(keys, connection, target);
  if (isSettled) return hasKey();
  const given = await keys.find(target.id, target.binding);
  // Recipient and scope come first, because they say who gets the key; the label is only a name that somebody
  // chose.
  const title = titleOf(connection, recipient);
  const prompt = [promptOf(connection, target), given && describeReplaced(given)].filter(Boolean).join(' ');
  const key = await typeKey({ title, prompt, isOptional: given !== undefined }, place);
  if (typeof key === 'string') return key;
  if (key.value === '') return hasKey();
  return (await storeKey(keys, target, key.value)) ? 'next' : hasKey();
}

/** @returns whether it is stored; otherwise the person was asked whether to keep it for the session */
export async function storeKey(
  keys: ApiKeys,
  { id, binding }: Pick<KeyTarget, 'id' | 'binding'>,
  value: string,
): Promise<boolean> {
  try {
    await keys.set(id, binding, value);
    return true;
  } catch (error) {
    if (!isKeyStoreError(error)) throw error;
    await offerSessionKey(() => keys.setForSession(id, binding, value));
    return false;
  }
}

interface KeyQuestion {
  title: string;
  prompt: string;
  /** Whether an empty box may be accepted within a sequence: a key that was given before stays. */
  isOptional: boolean;
}

const checkKey = (value: string): string | undefined =>
  /^[\x21-\x7e]*$/.test(value.trim())
    ? undefined
    : t('A key contains only printable ASCII characters, without spaces.');

async function typeKey(
  { title, prompt, isOptional }: KeyQuestion,
  place: StepPlace | undefined,
): Promise<{ value: string } | 'back' | 'cancel'> {
  if (!place) {
    const key = await askForSecret({ title, prompt, validate: checkKey });
    return key === undefined ? 'cancel' : { value: key.trim() };
  }
  const check = (value: string): string | undefined =>
    value.trim() === '' && !isOptional ? t('Enter a key, or go back.') : checkKey(value);
  return typeText({ ...place, title }, { prompt, password: true, check });
}

/**
 * Offers the stored key that was given before the workspace changed the requests; it is used only after a
 * confirmation. @returns false if there is no such key or the user wants to enter another one.
 */
async function offerKnownKey(keys: ApiKeys, { label }: Connection, target: KeyTarget): Promise<boolean> {
  const { id, binding, wider, recipient } = target;
  if (!wider || (await keys.get(id, wider.binding)) === undefined) return false;
  if ((await keys.get(id, binding)) !== undefined) return false;
  const use = t('Use Stored Key');
  const other = t('Enter Another Key');
  const answer = await showMessage(
    'warning',
    t('Send the stored key to {0} with the settings of this workspace?', recipient),
    {
      modal: true,
      detail: t(
        'The workspace settings change the requests of {0}: {1}. The key was given without these changes.',
        label,
        wider.changes,
      ),
    },
    use,
    other,
  );
  if (answer === use) await keys.allow(id, wider.binding, binding);
  return answer !== other;
}

const describeReplaced = ({ givenAt }: GivenSecret): string =>
  givenAt === undefined
    ? t('It replaces the stored one.')
    : t('It replaces the one that was given on {0}.', new Date(givenAt).toLocaleString());

function titleOf({ scope, provided }: Connection, recipient: string): string {
  return provided
    ? t('API key for {0} ({1})', recipient, scope)
    : t('API key for {0} ({1} setting)', recipient, scope);
}

/** Prompt for the key. A custom class may send its key anywhere, so for those it promises no destination. */
function promptOf(
  { label, scope, provided }: Connection,
  { recipient, wider }: Pick<KeyTarget, 'recipient' | 'wider'>,
): string {
  if (wider)
    return t(
      '{0}. Stored in the secret storage of VS Code and sent to {1} only, as long as the workspace settings change nothing other than {2}.',
      label,
      recipient,
      wider.changes,
    );
  if (!provided)
    return t('{0}. Stored in the secret storage of VS Code and sent to {1} only.', label, recipient);
  return scope === 'module'
    ? t(
        '{0}. Stored in the secret storage of VS Code and given to this module until the module changes; no other connection gets it.',
        label,
      )
    : t(
        '{0}. Stored in the secret storage of VS Code and given to the code that is registered under this name.',
        label,
      );
}

/** Forgets the key of a connection together with its secret headers. */
export async function forgetKey({ connections, keys }: KeyServices, connection: Connection): Promise<void> {
  const id = (await connections.keyTarget(connection))?.id ?? connection.id;
  const headers = (await keys.list(id)).flatMap(({ kind }) => (kind === 'key' ? [] : [kind.header]));
  await keys.forget(id);
  reportForgotten(connection.label, headers);
}

/**
 * Confirms that the key was forgotten, because nothing else shows it. @param headers Names of the secret headers
 * that were forgotten, too.
 */
export function reportForgotten(label: string, headers: readonly string[] = []): void {
  const text =
    headers.length === 0
      ? t('The API key of {0} is forgotten.', label)
      : t('The key and the secret headers of {0} are forgotten: {1}.', label, headers.join(', '));
  void showMessage('information', text);
}

/** Asks for confirmation before a secret is sent unencrypted to another machine. */
export async function confirmUnencrypted(origin: string): Promise<boolean> {
  if (!origin.startsWith('http:') || isLoopback(origin)) return true;
  const proceed = t('Continue');
  const answer = await showMessage(
    'warning',
    t('The secret would be sent to {0} unencrypted.', origin),
    { modal: true, detail: t('Use https:// if the server has it.') },
    proceed,
  );
  return answer === proceed;
}

/** @param keepForSession Called when the user agrees. */
export async function offerSessionKey(keepForSession: () => void): Promise<void> {
  const keep = t('Keep Until Reload');
  const answer = await showMessage(
    'error',
    t('The secret storage of this machine does not keep it. A keyring may be missing or locked.'),
    {},
    keep,
  );
  if (answer === keep) keepForSession();
}
