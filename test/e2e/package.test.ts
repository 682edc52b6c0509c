// The packed extension: its files, its size, and its public types, against which other extensions compile.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readZipEntry, zipEntries } from '../support/texts/zip-entries';
import { root, vsix } from './support';

const archive = readFileSync(vsix.extension);

describe('the .vsix', () => {
  it('contains exactly the files that the extension needs', () => {
    expect(zipEntries(archive).toSorted()).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/THIRD-PARTY-NOTICES',
      'extension/changelog.md',
      'extension/dist/agent-tools.js',
      'extension/dist/blobs.js',
      'extension/dist/chat-models.js',
      'extension/dist/cli.js',
      'extension/dist/connections.js',
      'extension/dist/custom-providers.js',
      'extension/dist/diagnose.js',
      'extension/dist/editor-models.js',
      'extension/dist/engine.js',
      'extension/dist/evaluations.js',
      'extension/dist/extension.js',
      'extension/dist/format-lab.js',
      'extension/dist/history.js',
      'extension/dist/keys.js',
      'extension/dist/provider-playground.d.ts',
      'extension/dist/recordings.js',
      'extension/dist/requests.js',
      'extension/dist/scratches.js',
      'extension/dist/terminal.js',
      'extension/dist/tools.js',
      'extension/dist/undici.js',
      'extension/dist/webview-chunk.js',
      'extension/dist/webview-later-parts.js',
      'extension/dist/webview-parse-markdown.js',
      'extension/dist/webview.css',
      'extension/dist/webview.js',
      'extension/dist/wire.js',
      'extension/media/activity-bar.svg',
      'extension/media/ci/github-actions.yml',
      'extension/media/ci/gitlab.yml',
      'extension/media/ci/kubernetes-job.yml',
      'extension/media/docs/chat.md',
      'extension/media/docs/connections.md',
      'extension/media/docs/evaluation.md',
      'extension/media/docs/files.md',
      'extension/media/docs/panel.md',
      'extension/media/docs/recording.md',
      'extension/media/docs/terminal.md',
      'extension/media/examples/compare-models.playground.json',
      'extension/media/examples/embedding.playground.json',
      'extension/media/examples/flaky-tool.playground.json',
      'extension/media/examples/reliability.playground.json',
      'extension/media/icon.png',
      'extension/media/icon.svg',
      'extension/media/schemas/playground.schema.json',
      'extension/media/schemas/tool.schema.json',
      'extension/media/schemas/toolcall.schema.json',
      'extension/media/schemas/tools.schema.json',
      'extension/media/walkthrough/compare.svg',
      'extension/media/walkthrough/connect.svg',
      'extension/media/walkthrough/diagnose.svg',
      'extension/media/walkthrough/evaluate.svg',
      'extension/media/walkthrough/first-tool-call.svg',
      'extension/media/walkthrough/keep.svg',
      'extension/package.json',
      'extension/package.nls.json',
      'extension/readme.md',
    ]);
  });

  it('contains every file that one of them loads later', () => {
    const packed = zipEntries(archive).filter((name) => /^extension\/dist\/.*\.js$/.test(name));
    const loaded = packed.flatMap((name) =>
      [...readZipEntry(archive, name).matchAll(/\b(?:require|import)\("\.\/([\w-]+\.js)"\)/g)].map(
        ([, file = '']) => `extension/dist/${file}`,
      ),
    );
    expect(loaded.length).toBeGreaterThan(15);
    expect(loaded.filter((file) => !packed.includes(file))).toEqual([]);
  });

  it('is at most 1,150 KB, counted as 1024 bytes each like vsce does', () => {
    expect(archive.length).toBeLessThanOrEqual(1_150 * 1024);
  });

  it('has types without values, against which a provider module and another extension compile', () => {
    const folder = mkdtempSync(join(tmpdir(), 'consumer-'));
    try {
      const installed = join(folder, 'node_modules', 'provider-playground');
      mkdirSync(join(installed, 'dist'), { recursive: true });
      symlinkSync(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
      for (const file of ['package.json', 'dist/provider-playground.d.ts'])
        writeFileSync(join(installed, file), readZipEntry(archive, `extension/${file}`));
      for (const [file, text] of Object.entries(CONSUMERS)) writeFileSync(join(folder, file), text);
      const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
      const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--checkJs', '--types', 'node'];
      const target = ['--target', 'es2023', '--module', 'nodenext'];
      const args = [compiler, ...flags, ...target, ...Object.keys(CONSUMERS)];
      expect(() => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Sources as users would write them. The compiler reports each `@ts-expect-error` that has no error. */
const CONSUMERS = {
  'module.mjs': `
/** @type {import('provider-playground').ProviderModule} */
export default ({ Providers, LocalHostProvider, parser }) => {
  class Acme extends Providers {
    /** @type {import('provider-playground').ProviderDescription} */
    static playground = { label: 'Acme', host: 'https://acme.example', models: ['anvil'], needsKey: true };
    /** @param {import('provider-playground').CustomCredentials} credentials */
    constructor(credentials) {
      super();
      this.configure(credentials);
    }
    /**
     * @param {import('provider-playground').ToolType[]} tools
     * @param {import('provider-playground').Message[]} messages
     * @param {import('provider-playground').SamplingParams} [sampling]
     */
    async chatInternal(tools, messages, sampling) {
      const body = JSON.stringify({ tools, messages, heat: sampling?.temperature });
      const { response, attempts } = await this.request('https://acme.example', { body });
      parser.json(await response.text());
      return { content: '', toolCalls: [], usage: {}, attempts };
    }
  }
  return [Acme, class Mine extends LocalHostProvider {}];
};
`,
  'extension.ts': `
import type { Message, ProviderCredentials, ProviderPlaygroundApi, RawAssistant, ToolType } from 'provider-playground';
import { Providers } from 'provider-playground';
// @ts-expect-error the package has types alone: the class comes from the library
export const wrong = Providers.name;
interface AcmeCredentials extends ProviderCredentials { apiKey: string }
export async function register(api: ProviderPlaygroundApi): Promise<{ dispose(): void }> {
  api.version satisfies 1;
  const library = await api.library();
  // @ts-expect-error there is no such export
  library.nothing;
  class Acme extends library.Providers {
    constructor(private readonly credentials: AcmeCredentials) { super(); this.configure(credentials); }
    protected async chatInternal(_: ToolType[], messages: Message[]): Promise<RawAssistant> {
      return { content: this.credentials.apiKey + messages.length, toolCalls: [], usage: {}, attempts: 1 };
    }
  }
  const turn = await new library.HostedApiProvider({ apiKey: 'k' }).chat({ messages: [] });
  turn.raw.content satisfies string;
  // @ts-expect-error a name is needed
  api.registerProvider({ providers: () => Acme });
  return api.registerProvider({ extensionId: 'acme.models', providers: () => ({ Acme }) });
}
`,
};
