// The manifest and the code are consistent.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../support/texts/source-files';
import {
  AGENT_TOOLS,
  BLOB_VIEW_TYPE,
  COMMANDS,
  CONFIGURATION,
  DIAGNOSIS_SCHEME,
  EDITOR_VIEW_TYPE,
  LAB_EDITOR_VIEW_TYPE,
  LAB_VIEW_TYPE,
  PLAYGROUND_VIEW_TYPE,
  RECORDING_EDITOR_VIEW_TYPE,
  RECORDING_VIEW_TYPE,
  SETTINGS,
  RUN_SCHEME,
  TASK_TYPE,
  TOOL_SCHEME,
} from '../../src/host/contributions';
import { EVAL_OPTIONS } from '../../src/host/terminal/eval-words';
import { DemoSource } from '../../src/connections/sources/demo-source';
import { connectionSettingSchema, isReservedId } from '../../src/connections/connection';
import { LAB_FILE_END } from '../../src/session';

interface Schema {
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  markdownDescription?: string;
  enumDescriptions?: string[];
}
interface Manifest {
  main: string;
  icon: string;
  engines: { vscode: string };
  activationEvents: string[];
  contributes: {
    commands: { command: string; title: string }[];
    keybindings: { command: string; key: string; when: string }[];
    languageModelTools: {
      name: string;
      modelDescription: string;
      toolReferenceName: string;
      canBeReferencedInPrompt: boolean;
      icon: string;
      inputSchema: { type: string };
    }[];
    customEditors: { viewType: string; selector: object[] }[];
    jsonValidation: { url: string }[];
    taskDefinitions: [{ type: string; required: string[]; properties: object }];
    problemMatchers: [{ name: string; pattern: { regexp: string; file: number } }];
    walkthroughs: { steps: { id: string; media: { svg: string }; completionEvents: string[] }[] }[];
    configuration: {
      properties: Record<
        string,
        { additionalProperties: { properties: object }; propertyNames?: { not: { pattern: string } } }
      >;
    };
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  devDependencies: Record<string, string>;
}
const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const strings = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;

describe('the manifest', () => {
  test('contributes exactly the commands that the code registers', () => {
    expect(manifest.contributes.commands.map(({ command }) => command).toSorted()).toEqual(
      Object.values(COMMANDS).toSorted(),
    );
  });

  test.each(['Open Playground', 'New Playground'])(
    'finds only “%s” in the palette, which lists what has these words in alphabetical order',
    (title) => {
      const [verb, noun] = title.split(' ');
      const titles = manifest.contributes.commands.map(
        (command) => strings[command.title.slice(1, -1)] ?? '',
      );
      expect(titles.filter((other) => new RegExp(`\\b${verb}.*\\b${noun}`, 'i').test(other))).toEqual([
        title,
      ]);
    },
  );

  test('contributes exactly the tools for agents that the code registers, each with its icon and a schema', () => {
    const { languageModelTools: tools } = manifest.contributes;
    expect(tools.map(({ name }) => name)).toEqual(Object.values(AGENT_TOOLS));
    expect(new Set(tools.map(({ toolReferenceName }) => toolReferenceName)).size).toBe(tools.length);
    for (const { name, modelDescription, icon, canBeReferencedInPrompt, inputSchema } of tools) {
      // Names as all services take them; a description that a request can carry.
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      expect(modelDescription.length).toBeLessThan(1024);
      expect(icon).toMatch(/^\$\([a-z-]+\)$/);
      expect(canBeReferencedInPrompt).toBe(true);
      expect(inputSchema.type).toBe('object');
    }
  });

  test('has keys for what is done often in a playground, only where one is active, and each once', () => {
    const { keybindings } = manifest.contributes;
    const inPanel = keybindings.filter(({ when }) => when.includes('activeWebviewPanelId'));
    const names = [
      'runPlayground',
      'runAgent',
      'stopRuns',
      'addLane',
      'exportLanes',
      'toggleInspector',
      'newPlayground',
    ] as const;
    expect(inPanel.map(({ command }) => command)).toEqual(names.map((name) => COMMANDS[name]));
    for (const { when } of inPanel) {
      expect(when).toBe(
        `activeWebviewPanelId == ${PLAYGROUND_VIEW_TYPE} || activeCustomEditorId == ${EDITOR_VIEW_TYPE}`,
      );
    }
    expect(new Set(keybindings.map(({ key }) => key)).size).toBe(keybindings.length);
  });

  test('contributes exactly the settings that the code reads', () => {
    const known = Object.values(SETTINGS).map((name) => `${CONFIGURATION}.${name}`);
    expect(Object.keys(manifest.contributes.configuration.properties)).toEqual(known);
  });

  test('restricts the settings for addresses, code and stored runs in an untrusted workspace', () => {
    const { maxConcurrentRequests: _, ...restricted } = SETTINGS;
    const sensitive = Object.values(restricted).map((name) => `${CONFIGURATION}.${name}`);
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(sensitive);
  });

  test('opens its files in the editors that the code registers, with existing schemas', () => {
    const { customEditors, jsonValidation } = manifest.contributes;
    expect(customEditors).toMatchObject([
      { viewType: EDITOR_VIEW_TYPE, selector: [{ filenamePattern: '*.playground.json' }] },
      { viewType: LAB_EDITOR_VIEW_TYPE, selector: [{ filenamePattern: `*${LAB_FILE_END}` }] },
      { viewType: RECORDING_EDITOR_VIEW_TYPE, selector: [{ filenamePattern: '*.recording.jsonl' }] },
      // Other files have this ending, too.
      { viewType: BLOB_VIEW_TYPE, selector: [{ filenamePattern: '*.jsonl' }], priority: 'option' },
    ]);
    expect(jsonValidation.map(({ url }) => existsSync(url))).toEqual(jsonValidation.map(() => true));
  });

  test('has a schema for a connection with the fields that the code accepts', () => {
    const { additionalProperties } = Object.values(manifest.contributes.configuration.properties)[0] ?? {};
    expect(Object.keys(additionalProperties?.properties ?? {}).toSorted()).toEqual(
      Object.keys(connectionSettingSchema().entries).toSorted(),
    );
  });

  test('describes every field of a connection, including nested ones', () => {
    const described = (schema: Schema): boolean =>
      (schema.markdownDescription ?? schema.enumDescriptions) !== undefined;
    const partsOf = ({ properties = {}, anyOf = [] }: Schema): Schema[] =>
      [...Object.values(properties), ...anyOf.flatMap(partsOf)].flatMap((part) => [part, ...partsOf(part)]);
    const { additionalProperties } = Object.values(manifest.contributes.configuration.properties)[0] ?? {};
    const parts = partsOf(additionalProperties as Schema);
    expect(parts.length).toBeGreaterThan(20);
    expect(parts.filter((part) => !described(part))).toEqual([]);
  });

  test('marks ids of connections that the code refuses', () => {
    const { propertyNames } = Object.values(manifest.contributes.configuration.properties)[0] ?? {};
    const taken = new RegExp(propertyNames?.not.pattern ?? '$^');
    const builtIn = new DemoSource().list().map(({ id }) => id);
    expect(builtIn).toContain('demo');
    const ids = [...builtIn, 'module:x', 'extension:x', 'demos', 'my-module:x', '', ' '];
    expect(ids.filter((id) => taken.test(id))).toEqual(
      ids.filter((id) => id.trim() === '' || builtIn.includes(id) || isReservedId(id)),
    );
  });

  test('has six walkthrough steps, each with an existing picture and a command that completes it', () => {
    const [walkthrough, ...others] = manifest.contributes.walkthroughs;
    expect(others).toEqual([]);
    expect(walkthrough?.steps).toHaveLength(6);
    for (const { id, media, completionEvents } of walkthrough?.steps ?? []) {
      expect(existsSync(media.svg), media.svg).toBe(true);
      // The picture must use the colours of the theme only.
      expect(readFileSync(media.svg, 'utf8')).not.toMatch(/(fill|stroke)="#/);
      const commands = completionEvents.map((event) => event.replace(/^onCommand:/, ''));
      expect(Object.values<string>(COMMANDS)).toEqual(expect.arrayContaining(commands));
      const links = /\(command:([\w.]+)/g;
      const linked = [...(strings[`walkthrough.${id}.description`] ?? '').matchAll(links)].map(
        ([, name]) => name,
      );
      expect(commands.some((command) => linked.includes(command))).toBe(true);
    }
  });

  test('opens existing pages of the guide from the walkthrough', () => {
    const pages = Object.values(strings).flatMap((string) =>
      [...string.matchAll(/openGuide\?%22(\w+)%22/g)].map(([, page]) => `media/docs/${page}.md`),
    );
    expect(pages.toSorted()).toEqual(filesUnder('media/docs', '.md').toSorted());
  });

  test('has a string for every %key%, and no unused string', () => {
    const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(strings).toSorted());
  });

  test('describes a task with the options that the code reads, and finds what failed in its lines', () => {
    const [{ type, required, properties }] = manifest.contributes.taskDefinitions;
    expect([type, required]).toEqual([TASK_TYPE, ['file']]);
    expect(Object.keys(properties)).toEqual(['file', ...EVAL_OPTIONS]);
    const [{ name, pattern }] = manifest.contributes.problemMatchers;
    expect(name).toBe(TASK_TYPE);
    const matcher = new RegExp(pattern.regexp);
    const place = (line: string): string[] | undefined => matcher.exec(line)?.slice(pattern.file);
    expect(place('a b/weather.playground.json:12:3: error: Oslo, lane a: x.ts:1:1: error: y')).toEqual([
      'a b/weather.playground.json',
      '12',
      '3',
      'error',
      'Oslo, lane a: x.ts:1:1: error: y',
    ]);
    expect(place('C:/x/rows.jsonl:3:1: warning: Oslo, lane a: 9 of 10 passed')).toHaveLength(5);
    // What a model wrote stands behind blanks, quotes or marks in the other reports.
    for (const line of [
      '      3 × a.ts:1:1: error: x',
      '{"text":"a.ts:1:1: error: x"}',
      '- a.ts:1:1: error: x',
    ])
      expect(place(line)).toBeUndefined();
  });

  test('activates for a restored panel, tool or run, for a workspace with playgrounds, and never at start-up', () => {
    expect(manifest.activationEvents).toEqual([
      `onWebviewPanel:${PLAYGROUND_VIEW_TYPE}`,
      `onWebviewPanel:${LAB_VIEW_TYPE}`,
      `onWebviewPanel:${RECORDING_VIEW_TYPE}`,
      `onFileSystem:${TOOL_SCHEME}`,
      `onFileSystem:${DIAGNOSIS_SCHEME}`,
      `onFileSystem:${RUN_SCHEME}`,
      // Their evaluations are in the Test Explorer.
      'workspaceContains:**/*.playground.json',
    ]);
  });

  test('names an existing icon, and types no newer than the engine', () => {
    expect(existsSync(manifest.icon)).toBe(true);
    expect(manifest.engines.vscode).toBe('^1.105.0');
    expect(manifest.devDependencies['@types/vscode']).toBe('~1.105.0');
  });

  test.each([
    '@types/vscode',
    '@vscode/vsce',
    'esbuild',
    '@vscode/webview-ui-toolkit',
    'undici',
    '@vscode/test-electron',
  ])('%s exists and is used', (name) => {
    expect(manifest.devDependencies).toHaveProperty([name]);
    const uses: Record<string, RegExp> = { '@types/vscode': /from 'vscode'/ };
    const sources = ['src', 'webview', 'test']
      .flatMap((folder) => filesUnder(folder, '.ts', '.mjs'))
      .concat('esbuild.mjs', 'package.json');
    const pattern = uses[name] ?? new RegExp(`(from|import\\() ?['"(]*${name}`);
    expect(sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).length).toBeGreaterThan(0);
  });
});
