// Runs a diagnosis as the extension does, with settings and keys of the test, over real sockets.
import { ApiKeys } from '../../../src/connections/keys/api-keys';
import { DemoSource } from '../../../src/connections/sources/demo-source';
import { diagnoseConnection } from '../../../src/connections/diagnose/diagnose-connection';
import type { DiagnosisLine } from '../../../src/connections/diagnose/diagnosis';
import type { RequestPlace } from '../../../src/connections/diagnose/place';
import { FakeClock } from '../fake-clock';
import { FakeSecrets } from '../connections/fake-secrets';
import { settings } from '../vscode/editor-settings';
import { connect } from '../connections/connect';

export const HERE: RequestPlace = {
  name: 'this computer',
  isElsewhere: false,
  isContainer: false,
  isWsl: false,
};

export interface DiagnoseOptions {
  /** Key that is stored for the origin of the host. */
  key?: string;
  model?: string;
  place?: RequestPlace;
  signal?: AbortSignal;
  /** Other settings beside the connection, such as `proxy`. */
  http?: Record<string, unknown>;
  onDoing?: (what: string) => void;
}

/** @param setting One entry of the settings, or the id of a built-in connection. */
export async function diagnose(
  setting: Record<string, unknown> | string,
  options: DiagnoseOptions = {},
): Promise<DiagnosisLine[]> {
  const { key, model, place = HERE, signal = new AbortController().signal, http = {}, onDoing } = options;
  const connectionSettings = typeof setting === 'string' ? {} : { own: setting };
  settings.user = { ...http, connections: connectionSettings };
  const demo = new DemoSource();
  const keys = new ApiKeys(new FakeSecrets());
  const connections = connect(keys, demo);
  const connection = connections.find(typeof setting === 'string' ? setting : 'own');
  const target = key === undefined ? undefined : await connections.keyTarget(connection);
  if (target && key !== undefined) await keys.set(target.id, target.binding, key);
  const lines: DiagnosisLine[] = [];
  try {
    await diagnoseConnection({
      clock: new FakeClock(),
      place,
      connections,
      connection,
      model,
      signal,
      addLine: (line) => void lines.push(line),
      doing: (what) => onDoing?.(what),
    });
  } finally {
    await demo.close();
  }
  return lines;
}

/** Lines as `level name`, in the order in which they were reported. */
export const outline = (lines: readonly DiagnosisLine[]): string[] =>
  lines.map(({ level, name }) => `${level} ${name}`);

/** The only line with this name. */
export function lineOf(lines: readonly DiagnosisLine[], name: string): DiagnosisLine {
  const found = lines.filter((line) => line.name === name);
  if (found.length === 1 && found[0]) return found[0];
  throw new Error(`${found.length} lines are called ${name}: ${JSON.stringify(outline(lines))}`);
}
