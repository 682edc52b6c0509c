// The keys in the environment, each for the origin that it may be sent to. They are given in no other way: arguments are seen by
// every program of the machine, and files are committed.
import { t } from '@vscode/l10n';
import { originOf } from '../../connections';
import { toLabel } from '../../inspect';
import { isRecord } from '../../library';
import type { ConnectionView } from '../../protocol';
import { CommandError } from '../command';
import type { Terminal } from '../terminal';

export const KEYS_VARIABLE = 'PROVIDER_PLAYGROUND_KEYS';
const EXAMPLE = `${KEYS_VARIABLE}='{"https://api.openai.com":"sk-…"}'`;

/** A key goes into a header. */
const IN_HEADER = /^[\x21-\x7e]*$/;

/** @returns keys by origin. @throws CommandError, whose words contain no key */
export function readKeys(environment: Terminal['environment']): Map<string, string> {
  const text = environment[KEYS_VARIABLE] ?? '';
  if (text.trim() === '') return new Map();
  const next = t('Give an object of origins and keys: {0}', EXAMPLE);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandError(t('The variable {0} is not JSON.', KEYS_VARIABLE), next);
  }
  if (!isRecord(value)) throw new CommandError(t('The variable {0} is no object.', KEYS_VARIABLE), next);
  const keys = new Map<string, string>();
  for (const [index, [address, key]] of Object.entries(value).entries()) {
    const origin = originOf(address);
    // The entry is named by its place: someone may have exchanged the address and the key.
    if (origin === undefined || typeof key !== 'string')
      throw new CommandError(
        t('Entry {0} of {1} is not an address with its key.', index + 1, KEYS_VARIABLE),
        next,
      );
    const sent = key.trim();
    if (!IN_HEADER.test(sent))
      throw new CommandError(
        t('The key for {0} in {1} cannot be sent.', origin, KEYS_VARIABLE),
        t('Copy the key again, without quotation marks, dots or blanks that stand for a part of it.'),
        t('A key has printable ASCII characters alone, without blanks. Nothing was sent.'),
      );
    if (sent !== '') keys.set(origin, sent);
  }
  return keys;
}

/**
 * @param origin Of the connection; undefined when its code alone knows it.
 * @param origins Those that have a key.
 */
export function missingKey(
  { label, address, scope }: ConnectionView,
  origin: string | undefined,
  origins: readonly string[],
): CommandError {
  const why =
    origins.length === 0
      ? t('Nothing was sent.')
      : t('There are keys for {0}: they are not sent elsewhere. Nothing was sent.', origins.join(', '));
  const what = t('{0} needs a key for {1}.', toLabel(label), toLabel(address));
  if (origin === undefined && scope === 'module')
    return new CommandError(
      what,
      t('Name its address as `host` in the `static playground` of its class: a key is given for an origin.'),
      why,
    );
  return new CommandError(
    what,
    t('Give it in the environment by its origin: {0}', `${KEYS_VARIABLE}='{"${origin ?? 'https://…'}":"…"}'`),
    why,
  );
}
