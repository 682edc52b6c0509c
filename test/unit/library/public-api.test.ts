import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as library from '../../../src/library';

/** The library as a program receives it that shortens all names. */
async function importMinified(): Promise<typeof library> {
  const folder = mkdtempSync(join(tmpdir(), 'minified-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, 'library.mjs');
  await build({
    entryPoints: ['src/library/index.ts'],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    external: ['undici'],
    outfile,
  });
  return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as typeof library;
}

describe('the public API of the library', () => {
  test('exports exactly these names', () => {
    expect(Object.keys(library).toSorted()).toEqual([
      'Agent',
      'CONNECT_TIMEOUT_MS',
      'Forwarding',
      'HOSTED_API_DEFAULTS',
      'HOST_PLACEHOLDER',
      'HostedApiProvider',
      'HttpError',
      'HttpTransport',
      'InvalidOptionsError',
      'LocalHostProvider',
      'MessagesApiProvider',
      'NetworkError',
      'PROVIDER_CATALOG',
      'ProviderError',
      'Providers',
      'RETRY_DEFAULTS',
      'RequestTimeoutError',
      'RescueScanner',
      'ResponsesApiProvider',
      'RunStoppedError',
      'answerCalls',
      'cameToNothing',
      'checkArguments',
      'checkBudget',
      'closeConnections',
      'createRedactor',
      'explainNetworkError',
      'findMarkup',
      'findReachedLimit',
      'findRefused',
      'findServerWords',
      'formatToolCalls',
      'hasMoreValues',
      'hasRefusedPart',
      'isPaused',
      'isRecord',
      'isSame',
      'isSecretName',
      'measureSpending',
      'nameJsonTypes',
      'nearestTools',
      'normalizeToolCallEnvelope',
      'parseJson',
      'parser',
      'pruneUndefined',
      'reduceTool',
      'rescueFormatInfo',
      'rescueFormats',
      'rescueToolCalls',
      'runAgent',
      'sumKnown',
      'sumUsage',
    ]);
  });

  test('has errors and providers whose names survive a minifier, because messages contain them', async () => {
    const minified: Record<string, unknown> = { ...(await importMinified()) };
    const names = Object.entries(library).flatMap(([name, value]) =>
      typeof value === 'function' && [Error, library.Providers].some((base) => extendsClass(value, base))
        ? [name]
        : [],
    );
    expect(names).toHaveLength(10);
    expect(names.map((name) => (minified[name] as { name: string }).name)).toEqual(names);
  });
});

const extendsClass = (value: object, base: abstract new () => object): boolean =>
  'prototype' in value && value.prototype instanceof base;
