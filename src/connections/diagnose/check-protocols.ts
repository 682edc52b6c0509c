// Checks which protocols the server speaks, and which of them it does right. First a request without a model, which costs nothing;
// then, in each that it speaks, one tiny chat that demands a call.
import { t } from '@vscode/l10n';
import type { CatalogEntry, Providers } from '../../library';
import { checkArguments, PROVIDER_CATALOG } from '../../library';
import type { ChatTurn } from '../../types';
import type { Connection } from '../connection';
import { askWithoutModel, hostIn, isNotSpoken } from '../spoken-protocols';
import { CALL, MAX_TOKENS, QUESTION, TOOL } from './check-model';
import type { Diagnosis, DiagnosisLine } from './diagnosis';
import { measure } from './diagnosis';
import { quote, toSentence } from './words';

/** Timeouts in milliseconds: a server refuses a request without a model at once. */
const ASK_MS = 5_000;
const CHAT_MS = 120_000;

type Finding = Omit<DiagnosisLine, 'section' | 'name' | 'tookMs'>;

/** @param model The one that the checks before used. */
export async function checkProtocols(
  diagnosis: Diagnosis,
  host: string,
  model: string | undefined,
): Promise<void> {
  const { connection, doing, addLine } = diagnosis;
  const own = PROVIDER_CATALOG.find(({ id }) => id === connection.setting.provider);
  if (!own) return;
  const spoken: string[] = [];
  // Its own comes last: where the server does not speak it, the others are the advice.
  for (const entry of [...PROVIDER_CATALOG.filter((other) => other !== own), own]) {
    doing(t('Checking the protocol {0}', entry.title));
    const there = toProtocol(connection, { host, own, entry });
    const { value, tookMs } = await measure(diagnosis, () => checkOne(diagnosis, there, { entry, model }));
    const isSpoken = value.level !== 'left out';
    const address = `${quote(entry.id)} (${quote(there.setting.host ?? host)})`;
    if (isSpoken) spoken.push(address);
    const finding =
      entry === own ? ofOwn(value, spoken) : ofOther(value, connection.builtIn ? undefined : address);
    addLine({ section: 'Protocols', name: entry.title, ...finding, ...(isSpoken && { tookMs }) });
  }
}

function ofOwn(finding: Finding, spoken: readonly string[]): Finding {
  if (finding.level !== 'left out') return finding;
  const next =
    spoken.length === 0
      ? t('Correct `host`, or update the server.')
      : t('Set `provider` and `host` to what it speaks: {0}.', spoken.join(', '));
  return { ...finding, level: 'failed', next };
}

/** What the server does badly in another protocol is no fault of the connection. */
function ofOther({ level, text, next }: Finding, address: string | undefined): Finding {
  if (level === 'ok') {
    // What is built in has a connection for each, and another address each time.
    const use = address === undefined ? '' : ` ${t('A connection to it: {0}.', address)}`;
    return { level, text: text + use };
  }
  if (level === 'left out') return { level, text };
  const unless = t('Nothing as long as you do not use this protocol there.');
  return { level, text, next: [unless, next].filter(Boolean).join(' ') };
}

/** The same server, asked in another protocol. The key is that of the connection: it is bound to the origin. */
function toProtocol(
  connection: Connection,
  { host, own, entry }: { host: string; own: CatalogEntry; entry: CatalogEntry },
): Connection {
  if (entry === own) return connection;
  const { headers, label, rescueToolCalls } = connection.setting;
  const setting = {
    provider: entry.id,
    host: hostIn(entry, { own, host }),
    ...(!own.needsKey(connection.setting) && { auth: 'none' as const }),
    ...(headers && { headers }),
    ...(label !== undefined && { label }),
    ...(rescueToolCalls !== undefined && { rescueToolCalls }),
  };
  return { ...connection, builtIn: undefined, setting };
}

async function checkOne(
  diagnosis: Diagnosis,
  connection: Connection,
  { entry, model }: { entry: CatalogEntry; model: string | undefined },
): Promise<Finding> {
  const { connections, signal } = diagnosis;
  const make = async (timeoutMs: number, name: string | undefined): Promise<Providers> => {
    const setting = { ...connection.setting, retry: { maxAttempts: 1, timeoutMs } };
    const request = { connection: { ...connection, setting }, model: name, rescueToolCalls: true };
    return (await connections.makeProvider(request)).provider;
  };
  try {
    const status = await askWithoutModel(await make(ASK_MS, '-'), signal);
    if (isNotSpoken(status))
      return { level: 'left out', text: t('The server does not speak it ({0}).', status) };
    // The model of the connection or of its protocol; for others that says nothing.
    if (model === undefined && connection !== diagnosis.connection)
      return { level: 'ok', text: t('The server speaks it; no model is known to try it with.') };
    const provider = await make(CHAT_MS, model);
    const turn = await provider.chat({
      messages: [{ role: 'user', content: QUESTION }],
      tools: [TOOL],
      // Where the protocol has none, the question alone has to do.
      ...(entry.toolChoiceKey !== null && { toolChoice: { tool: TOOL.name } }),
      sampling: { maxTokens: MAX_TOKENS },
      // The replies of lanes are streams, too.
      onDelta: () => undefined,
      signal,
    });
    return judge(turn, entry.toolChoiceKey !== null);
  } catch (error) {
    signal.throwIfAborted();
    const { what, why, next } = await connections.explain(error, connection);
    return { level: 'warning', text: toSentence(`${what} ${why}`), next: toSentence(next) };
  }
}

function judge({ raw, rescue }: ChatTurn, isDemanded: boolean): Finding {
  const [call] = raw.toolCalls;
  const wanted = quote(`${CALL.name}(${JSON.stringify(CALL.arguments)})`);
  if (!call) {
    if (!isDemanded) return { level: 'ok', text: t('It answers; this protocol cannot demand a call.') };
    const text = t('It answers, but ignores the tool choice: {0} was demanded, and no call came.', wanted);
    const isRescued = rescue !== undefined && rescue.calls.length > 0;
    const next = isRescued
      ? t('The call came as text, and rescue reads it.')
      : t('Do not rely on a tool choice there.');
    return { level: 'warning', text, next };
  }
  const issues = checkArguments(call.arguments, TOOL.parameters);
  const isRight = call.name === TOOL.name && issues.length === 0;
  if (isRight) return { level: 'ok', text: t('Right: a stream with the call, {0}.', wanted) };
  const isEmpty = JSON.stringify(call.arguments) === '{}';
  if (isEmpty)
    return {
      level: 'warning',
      text: t('The arguments of the call came as {0}, although {1} is required.', '`{}`', '`city`'),
      next: t('Some servers replace arguments that are no JSON by an empty object without saying so.'),
    };
  const got = quote(`${call.name}(${JSON.stringify(call.arguments) ?? ''})`);
  return { level: 'warning', text: t('{0} was asked for, and {1} came.', wanted, got) };
}
