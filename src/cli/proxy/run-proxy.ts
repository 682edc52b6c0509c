// Records another program until Ctrl+C: prints the address to use, a line for each request, and the counts.
import { t } from '@vscode/l10n';
import { originOf, readNetwork } from '../../connections';
import { closeConnections } from '../../library';
import { clientAddress, Records, startRecording, toExchangeLine, toHeadLine } from '../../recording';
import type { ClientKind, Passage, Recording } from '../../recording';
import type { Call, ExitCode } from '../command';
import { CommandError, EXIT } from '../command';
import { readEnvironmentHttp } from '../connections/open-connections';
import { KEYS_VARIABLE, readKeys } from '../connections/read-keys';
import { messageOf } from '../files/read-errors';
import { madeBy } from '../made-by';
import type { PROXY_OPTIONS } from './options';
import { RecordFile } from './record-file';
import { RequestLines } from './request-line';
import { SlowRequests } from './slow-requests';

/** @throws CommandError */
export async function runProxy({ values, terminal }: Call<typeof PROXY_OPTIONS>): Promise<ExitCode> {
  const { output, talk, environment, folder } = terminal;
  const { target, origin } = checkTarget(values.target);
  const port = checkPort(values.port);
  const keys = readKeys(environment);
  const key = keys.get(origin);
  const network = readNetwork(origin, { http: readEnvironmentHttp, environment }).options;
  const file = values.record === undefined ? undefined : new RecordFile(folder, values.record);
  const lines = new RequestLines(output.style);
  const records = new Records();
  const keep = (line: string): void => {
    const problem = file?.add(line);
    if (problem !== undefined) talk.write(`${problem} ${t('The rest is only shown here.')}\n`);
  };
  const slow = new SlowRequests((line) => talk.write(`${line}\n`));
  const options = {
    target,
    port,
    network,
    isRepairing: () => values.repair === true,
    ...(key !== undefined && { findKey: () => Promise.resolve(key) }),
    onChange: (passage: Passage) => {
      slow.watch(passage);
      const record = passage.endMs === undefined ? undefined : records.toRecord(passage);
      if (!record) return;
      output.write(lines.add(record));
      keep(toExchangeLine(record));
    },
  };
  const recording = await start(options, file);
  keep(toHeadLine({ target, startedAt: Date.now(), madeBy: madeBy() }));
  talk.write(describeStart(recording, target, describeKey(origin, keys)));
  await new Promise<void>((stopped) => {
    const forget = terminal.onInterrupt(() => {
      forget();
      stopped();
    });
  });
  await recording.close();
  await closeConnections();
  file?.close();
  const kept = file ? ` → ${values.record}\n${t('Open Recording… in VS Code shows the file.')}` : '';
  talk.write(`${lines.summary()}${kept}\n`);
  return EXIT.done;
}

/** The variables that official clients read. */
const VARIABLES = {
  openai: 'OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_BASE_URL',
  ollama: 'OLLAMA_HOST',
} as const satisfies Record<ClientKind, string>;
const CLIENTS = ['openai', 'anthropic', 'ollama'] as const satisfies readonly ClientKind[];

function describeStart(recording: Recording, target: string, aboutKey: string): string {
  return [
    t('Use this address in the program instead of {0}:', target),
    '',
    `  ${recording.address}`,
    '',
    t('Clients that read theirs from the environment, each in the form that it needs:'),
    '',
    ...CLIENTS.map((kind) => `  ${VARIABLES[kind]}=${clientAddress(kind, recording)}`),
    '',
    aboutKey,
    t('The address works on this computer only. Ctrl+C ends the recording.'),
    '',
    '',
  ].join('\n');
}

function describeKey(origin: string, keys: ReadonlyMap<string, string>): string {
  if (keys.has(origin))
    return t('A program that sends no key, or a short word in its place, gets the one for {0}.', origin);
  return keys.size === 0
    ? t('The program sends its own key, if the server needs one.')
    : t('{0} has no key for {1}: the program sends its own, if the server needs one.', KEYS_VARIABLE, origin);
}

/** @throws CommandError */
function checkTarget(target: string | undefined): { target: string; origin: string } {
  const example = 'provider-playground proxy --target http://127.0.0.1:8080/v1';
  if (target === undefined)
    throw new CommandError(t('It is not said which server answers.'), t('Name it: {0}', example));
  const origin = originOf(target);
  if (origin === undefined)
    throw new CommandError(
      t('--target is no http or https address.'),
      t('Write all of it, beginning with http:// or https://: {0}', example),
    );
  const { search, username, password } = new URL(target);
  if (search + username + password !== '')
    throw new CommandError(
      t('--target has a user name, a password or a query.'),
      t('Leave it out. A key is given in the environment: {0}', `${KEYS_VARIABLE}='{"${origin}":"…"}'`),
      t('It would have to be a part of every request, and could be seen in the recording.'),
    );
  return { target, origin };
}

/** @throws CommandError */
function checkPort(port: string | undefined): number | undefined {
  if (port === undefined) return undefined;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new CommandError(t('--port is no port.'), t('Give a number up to 65535, or leave it out.'));
  return Number(port);
}

/** @throws CommandError */
async function start(
  options: Parameters<typeof startRecording>[0],
  file: RecordFile | undefined,
): Promise<Recording> {
  try {
    return await startRecording(options);
  } catch (error) {
    file?.close();
    throw new CommandError(
      t('The address cannot be opened on port {0}.', options.port ?? 0),
      t('Choose another --port, or leave it out.'),
      whyNoPort(error),
    );
  }
}

function whyNoPort(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return t('Another program uses it.');
  if (code === 'EACCES') return t('The system keeps it for administrators.');
  return messageOf(error);
}
