// Diagnoses a connection from its settings to its model, in the order in which a request depends on them. Steps
// that can no longer succeed are left out with the reason.
import { t } from '@vscode/l10n';
import { countOf } from '../../inspect';
import type { CatalogEntry, KnownServer } from '../../library';
import { PROVIDER_CATALOG } from '../../library';
import type { KeyTarget } from '../connection';
import { asSentence } from '../face';
import { originOf } from '../origin';
import { checkModel } from './check-model';
import { checkProtocols } from './check-protocols';
import { checkServer } from './check-server';
import { checkWay, addPlaceLine } from './check-way';
import type { Diagnosis } from './diagnosis';
import { quote, toSentence } from './words';

/** @throws the reason of the signal when it was aborted. */
export async function diagnoseConnection(diagnosis: Diagnosis): Promise<void> {
  const { host, servers = [] } = findHost(diagnosis);
  const settings = await checkSettings(diagnosis, host);
  if (settings === 'unusable') return;
  if (host === undefined) addPlaceLine(diagnosis, false);
  const isReached = host === undefined || (await checkWay(diagnosis, host, servers));
  if (!isReached) return checkModel(diagnosis, { whyNot: t('the server cannot be reached') });
  if (settings === 'refused')
    return checkModel(diagnosis, { whyNot: t('the connection cannot be used with its settings') });
  const server = await checkServer(diagnosis, host);
  await checkModel(diagnosis, server);
  const spokenAt = host ?? (await diagnosis.connection.builtIn?.host());
  if (spokenAt !== undefined && server.whyNot === undefined)
    await checkProtocols(diagnosis, spokenAt, server.model);
}

/** @returns no host for the demo, and where third-party code decides where requests go */
function findHost({ connection }: Diagnosis): {
  host?: string | undefined;
  servers?: readonly KnownServer[];
} {
  const { setting, builtIn, provided, problem } = connection;
  if (builtIn || provided || problem !== undefined) return {};
  const entry = PROVIDER_CATALOG.find(({ id }) => id === setting.provider);
  const host = setting.host ?? entry?.defaults.host;
  return { host: originOf(host) === undefined ? undefined : host?.trim(), servers: entry?.servers ?? [] };
}

/**
 * Returns `refused` when nothing can be sent but the way to the server can still be checked, `unusable` when there
 * is no address either.
 */
async function checkSettings(
  diagnosis: Diagnosis,
  host: string | undefined,
): Promise<'ok' | 'refused' | 'unusable'> {
  const { connection, addLine } = diagnosis;
  const section = 'Connection';
  diagnosis.doing(t('Reading the settings'));
  const known = await addSettingsLines(diagnosis, host);
  try {
    await diagnosis.connections.makeProvider({
      connection,
      model: diagnosis.model ?? '-',
      rescueToolCalls: true,
    });
    return 'ok';
  } catch (error) {
    const { code, what, why, next } = await diagnosis.connections.explain(error, connection);
    const isKey = code === 'connection-key';
    // The line about the key already says so.
    if (isKey && known) return 'refused';
    const advice =
      adviseHost(diagnosis, host, PROVIDER_CATALOG) ??
      (isKey ? asSentence(diagnosis.connections.face.giveKey) : toSentence(next));
    const text = toSentence(code === 'connection-setting' ? what : `${what} ${why}`);
    addLine({ section, level: 'failed', name: isKey ? t('Key') : t('Settings'), text, next: advice });
    return host === undefined ? 'unusable' : 'refused';
  }
}

/** @returns whether a missing key was reported. */
async function addSettingsLines(diagnosis: Diagnosis, host: string | undefined): Promise<boolean> {
  const { connection, addLine } = diagnosis;
  const { id, scope, setting, builtIn, provided, problem } = connection;
  const section = 'Connection';
  if (problem !== undefined) return false;
  const where = builtIn ? t('built in') : host === undefined ? undefined : t('at {0}', quote(host));
  const parts = [
    quote(provided?.view.provider ?? setting.provider),
    where,
    setting.model === undefined ? undefined : t('model {0}', quote(setting.model)),
    t('id {0}', quote(id)),
    t('scope {0}', quote(scope)),
  ].filter((part) => part !== undefined);
  addLine({ section, level: 'ok', name: t('Settings'), text: `${parts.join(', ')}.` });
  addHeadersLine(diagnosis, t('of the settings'), Object.keys(setting.headers ?? {}));
  addHeadersLine(
    diagnosis,
    t('with a secret value'),
    await diagnosis.connections.secretHeaderNames(connection),
  );
  const key = await diagnosis.connections.keyTarget(connection);
  if (!key) {
    addLine({ section, level: 'ok', name: t('Key'), text: t('This connection sends no key.') });
    return false;
  }
  const given = await diagnosis.connections.givenKey(connection);
  addKeyLine(diagnosis, key, given);
  return !given;
}

function addHeadersLine({ addLine }: Diagnosis, what: string, headers: readonly string[]): void {
  if (headers.length === 0) return;
  const names = headers.map((name) => quote(name)).join(', ');
  const text = `${countOf(headers.length, t('{0} header'), t('{0} headers'))} ${what}: ${names}.`;
  addLine({ section: 'Connection', level: 'ok', name: t('Headers'), text });
}

function addKeyLine(
  { addLine, connections }: Diagnosis,
  { recipient }: KeyTarget,
  given: Awaited<ReturnType<Diagnosis['connections']['givenKey']>>,
): void {
  const line = { section: 'Connection', name: t('Key') } as const;
  const to = quote(recipient);
  if (!given)
    return addLine({
      ...line,
      level: 'failed',
      text: t('There is none for {0}.', to),
      next: asSentence(connections.face.giveKey),
    });
  const { givenAt, isSessionOnly } = given;
  const day = givenAt === undefined ? undefined : new Date(givenAt).toISOString().slice(0, 10);
  const stored =
    day === undefined ? t('There is one for {0}', to) : t('There is one for {0}, given {1}', to, day);
  addLine({
    ...line,
    level: isSessionOnly ? 'warning' : 'ok',
    text: isSessionOnly ? t('{0}; it is lost when the window is reloaded.', stored) : `${stored}.`,
  });
}

/** Advice for a server that is reached at its origin, but whose address ends with a path, maybe of another protocol. */
function adviseHost(
  { connection: { setting } }: Diagnosis,
  host: string | undefined,
  catalog: readonly CatalogEntry[],
): string | undefined {
  const isAtOrigin = catalog.some(({ id, address }) => id === setting.provider && address.basePath === '');
  const [, base = '', path = ''] = (isAtOrigin && /^(.*?)\/+(v1|api)\/*$/.exec(host ?? '')) || [];
  if (path === '') return undefined;
  const other = catalog.find(({ address }) => address.basePath === `/${path}`);
  return other
    ? t(
        'Set `host` to {0}, or `provider` to {1} with `auth` `none` if it is an OpenAI-compatible server.',
        quote(base),
        quote(other.id),
      )
    : t('Set `host` to {0}.', quote(base));
}
