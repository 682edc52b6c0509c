// Modules of custom providers in a temporary folder, and connections made from them as the host does; the test
// answers in place of dialogs.
import { mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  CustomEnvironment,
  Decision,
} from '../../../src/connections/custom-providers/custom-connections';
import { CustomConnections } from '../../../src/connections/custom-providers/custom-connections';
import * as library from '../../../src/library';

type Question = Parameters<CustomEnvironment['ask']>[0];

export interface ModuleFolder extends AsyncDisposable {
  folder: string;
  connections: CustomConnections;
  /** Writes a module and returns its absolute path. On the first call for a name the module is added to `named`. */
  write: (name: string, text: string) => Promise<string>;
  /** Paths in the setting; tests may change the array. */
  named: string[];
  questions: Question[];
  /** The user's answer to the question. @default yes, immediately */
  answer: (question: Question) => PromiseLike<boolean | undefined>;
  decisions: Map<string, Decision>;
  lines: string[];
  watched: Set<string>;
  changes: () => number;
}

export async function openModuleFolder(
  options: Pick<CustomEnvironment, 'loadLimitMs' | 'patienceMs'> = {},
): Promise<ModuleFolder> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'custom-')));
  let changes = 0;
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  const decisions = new Map<string, Decision>();
  const watched = new Set<string>();
  const opened: Omit<ModuleFolder, 'connections'> = {
    folder,
    named: [],
    questions: [],
    answer: () => Promise.resolve(true),
    decisions,
    lines,
    watched,
    changes: () => changes,
    write: async (name, text) => {
      const path = join(folder, name);
      // In one step, because a module that is read while it is written would be one more version.
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
      if (!opened.named.includes(name)) opened.named.push(name);
      return path;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
  const connections = new CustomConnections({
    ...options,
    library,
    readNetwork: () => ({ proxy: 'http://proxy.example', rejectUnauthorized: false }),
    onChange: () => changes++,
    namedModules: () =>
      opened.named.map((written) => ({ written, scope: 'workspace', folder, folders: [folder] })),
    decisions: {
      get: (path) => decisions.get(path),
      set: (path, decision) => {
        if (decision) decisions.set(path, decision);
        else decisions.delete(path);
        return Promise.resolve();
      },
    },
    ask: (question) => {
      opened.questions.push(question);
      return opened.answer(question);
    },
    watch: (path) => {
      watched.add(path);
      return { dispose: () => watched.delete(path) };
    },
    log: { info: note, warn: note },
  });
  return Object.assign(opened, { connections });
}

/** A module with one provider. `host` is the address of its requests, `rest` adds members to its class. */
export const acmeModule = (host: string, rest = ''): string => `
export default ({ Providers }) => class AcmeProvider extends Providers {
  ${rest}
  constructor(credentials) {
    super();
    this.configure(credentials);
    this.credentials = credentials;
  }
  async chatInternal(tools, messages, sampling) {
    const { response, attempts } = await this.request(${JSON.stringify(host)}, {
      headers: { authorization: 'Bearer ' + this.credentials.apiKey },
      body: JSON.stringify({ messages, sampling, model: this.credentials.model }),
    });
    const data = await response.json();
    return { content: data.text ?? '', toolCalls: [], usage: {}, attempts };
  }
};
`;
