// Reads the connections of a file: an object in the shape of the setting, or a settings file of VS Code. Contains no keys.
import { t } from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isRecord } from '../../library';
import { lineFinder, readJson } from '../../session';
import { CommandError } from '../command';

/** Read when no other file is named. */
export const CONNECTIONS_FILE = 'provider-playground.connections.json';
const SETTING = 'providerPlayground.connections';

/**
 * @param named From the command line; undefined: the usual file, which need not exist.
 * @returns settings by the id of the connection
 * @throws CommandError
 */
export async function readConnectionsFile(
  folder: string,
  named: string | undefined,
): Promise<Record<string, unknown>> {
  const path = named ?? CONNECTIONS_FILE;
  let text: string;
  try {
    text = await readFile(resolve(folder, path), 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (named === undefined && isMissing) return {};
    const why = error instanceof Error ? error.message : '';
    throw new CommandError(
      t('The connections in {0} cannot be read.', path),
      t('Correct --connections.'),
      why,
    );
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
  const found = isRecord(value) && SETTING in value ? value[SETTING] : value;
  if (!isRecord(found)) throw new CommandError(t('{0} has no object of connections.', path), next);
  const { $schema: _schema, ...connections } = found;
  return connections;
}
