// A folder with a playground on the demo, and the commands of the command line in it, in this process.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../../src/cli/run-command-line';
import { fakeTerminal } from './fake-terminal';

export const ROWS = ['Oslo', 'Rome', 'Lima', 'Paris', 'Tokyo', 'Cairo', 'Accra'].map((city) => ({
  id: city.toLowerCase(),
  city,
  $tags: [city < 'M' ? 'first' : 'last'],
}));

/** The text of a playground whose lane a passes always, and whose lane b never does. */
export const playground = (change: object = {}): string =>
  JSON.stringify({
    messages: [{ role: 'user', content: 'What is the weather in {{city}}?' }],
    tools: [
      {
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ],
    lanes: [
      { id: 'a', connection: 'demo', model: 'native-call' },
      { id: 'b', connection: 'demo', model: 'prose-only' },
    ],
    evaluate: { rows: ROWS },
    expect: [{ calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] }],
    ...change,
  });

export class CommandFolder {
  readonly path: string;
  environment: Record<string, string> = {};

  private constructor(path: string) {
    this.path = path;
  }

  static async open(): Promise<CommandFolder> {
    const folder = new CommandFolder(await mkdtemp(join(tmpdir(), 'command-')));
    await folder.write('weather.playground.json', playground());
    return folder;
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.path, name), text);
  }

  read(name: string): Promise<string> {
    return readFile(join(this.path, name), 'utf8');
  }

  async run(...words: string[]): Promise<{ code: number; output: string; talk: string }> {
    const terminal = fakeTerminal({ folder: this.path, environment: this.environment });
    return { code: await runCommandLine(words, terminal), ...terminal.written };
  }

  close(): Promise<void> {
    return rm(this.path, { recursive: true });
  }
}

/** A report without what differs from one time to the next: times, and what follows from them. */
export const withoutTimes = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME')
    .replaceAll(/"(durationMs|medianMs|p90Ms|firstMs)": ?[\d.]+/g, '"$1":0')
    .replaceAll(/ time="[\d.]+"/g, ' time="0"')
    .replaceAll(/\b[\d.]+ (?:ms|s|min)\b/g, 'TIME');
