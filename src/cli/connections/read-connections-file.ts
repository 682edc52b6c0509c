// Reads the connections of a file: an object in the shape of the setting, or a settings file of VS Code. Contains no keys.
import { t } from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isRecord } from '../../library';
import { lineFinder, readJson } from '../../session';
import { CommandError } from '../command';
import { isMissing } from '../files/near-files';
import { describeReadError } from '../files/read-errors';

/** Read when no other file is named. */
export const CONNECTIONS_FILE = 'provider-playground.connections.json';
const SETTING = 'providerPlayground.connections';

/**
 * @param named From the command line: later files are merged over earlier ones, key by key as VS Code does. Undefined: the usual
 *   file, which need not exist.
 * @returns settings by the id of the connection
 * @throws CommandError
 */
export async function readConnectionsFiles(
  folder: string,
  named: readonly string[] | undefined,
): Promise<Record<string, unknown>> {
  let merged: Record<string, unknown> = {};
  for (const path of named ?? [CONNECTIONS_FILE])
    merged = merge(merged, await readConnectionsFile(folder, path, named === undefined));
  return merged;
}

function merge(below: Record<string, unknown>, above: Record<string, unknown>): Record<string, unknown> {
  const merged = Object.entries(above).map(([key, value]): [string, unknown] => {
    const under = Object.hasOwn(below, key) ? below[key] : undefined;
    return [key, isRecord(under) && isRecord(value) ? merge(under, value) : value];
  });
  return { ...below, ...Object.fromEntries(merged) };
}

async function readConnectionsFile(
  folder: string,
  path: string,
  isOptional: boolean,
): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(resolve(folder, path), 'utf8');
  } catch (error) {
    if (isOptional && isMissing(error)) return {};
    throw new CommandError(describeReadError(path, error), t('Correct --connections.'));
  }
  return parseConnections(path, text);
}

/** @throws CommandError */
export function parseConnections(path: string, text: string): Record<string, unknown> {
  const read = readJson(text);
  const next = t('Write an object with the settings of each connection under its id.');
  if ('message' in read)
    throw new CommandError(t('{0}:{1}: {2}', path, lineFinder(text)(read.offset), read.message), next);
  const { value } = read.root;
  // The settings of a .code-workspace file are one level deeper.
  const holder = isRecord(value) && isRecord(value.settings) ? value.settings : value;
  const found = isRecord(holder) && SETTING in holder ? holder[SETTING] : value;
  if (!isRecord(found)) throw new CommandError(t('{0} has no object of connections.', path), next);
  const { $schema: _schema, ...connections } = found;
  return connections;
}
