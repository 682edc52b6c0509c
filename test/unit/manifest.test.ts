// The manifest and the code say the same.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../support/source-files';
import {
  COMMANDS,
  CONFIGURATION,
  EDITOR_VIEW_TYPE,
  PLAYGROUND_VIEW_TYPE,
  SETTINGS,
  TOOL_SCHEME,
} from '../../src/host/contributions';
import { ConnectionSettingSchema } from '../../src/host/connections/connection';

interface Manifest {
  main: string;
  icon: string;
  engines: { vscode: string };
  activationEvents: string[];
  contributes: {
    commands: { command: string; title: string }[];
    customEditors: { viewType: string; selector: object[] }[];
    jsonValidation: { url: string }[];
    configuration: { properties: Record<string, { additionalProperties: { properties: object } }> };
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  devDependencies: Record<string, string>;
}
const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const strings = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;

describe('the manifest', () => {
  test('contributes the commands that the code knows, in both directions', () => {
    expect(manifest.contributes.commands.map(({ command }) => command).toSorted()).toEqual(
      Object.values(COMMANDS).toSorted(),
    );
  });

  test('contributes the settings that the code reads, in both directions', () => {
    const known = Object.values(SETTINGS).map((name) => `${CONFIGURATION}.${name}`);
    expect(Object.keys(manifest.contributes.configuration.properties)).toEqual(known);
  });

  test('lets an untrusted workspace set neither an address nor code', () => {
    const sensitive = [SETTINGS.connections, SETTINGS.customProviders].map(
      (name) => `${CONFIGURATION}.${name}`,
    );
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(sensitive);
  });

  test('opens playground files in the editor that the code registers, with schemas that are there', () => {
    const { customEditors, jsonValidation } = manifest.contributes;
    expect(customEditors).toMatchObject([
      { viewType: EDITOR_VIEW_TYPE, selector: [{ filenamePattern: '*.playground.json' }] },
    ]);
    expect(jsonValidation.map(({ url }) => existsSync(url))).toEqual(jsonValidation.map(() => true));
  });

  test('has a schema for a connection with the fields that the code accepts', () => {
    const { additionalProperties } = Object.values(manifest.contributes.configuration.properties)[0] ?? {};
    expect(Object.keys(additionalProperties?.properties ?? {}).toSorted()).toEqual(
      Object.keys(ConnectionSettingSchema.entries).toSorted(),
    );
  });

  test('has a string for every %key%, and no string that nothing uses', () => {
    const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key = '']) => key);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(strings).toSorted());
  });

  test('activates for a restored panel or tool, and for nothing at start-up', () => {
    expect(manifest.activationEvents).toEqual([
      `onWebviewPanel:${PLAYGROUND_VIEW_TYPE}`,
      `onFileSystem:${TOOL_SCHEME}`,
    ]);
  });

  test('names an icon that is there, and types no newer than the engine', () => {
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
  ])('%s is there and really used', (name) => {
    expect(manifest.devDependencies).toHaveProperty([name]);
    const uses: Record<string, RegExp> = { '@types/vscode': /from 'vscode'/, '@vscode/vsce': /vsce package/ };
    const sources = ['src', 'webview', 'test']
      .flatMap((folder) => filesUnder(folder, '.ts', '.mjs'))
      .concat('esbuild.mjs', 'package.json');
    const pattern = uses[name] ?? new RegExp(`(from|import\\() ?['"(]*${name}`);
    expect(sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).length).toBeGreaterThan(0);
  });
});
