import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { maxRequests, readHistoryLimits } from '../../../../../src/host/playground/settings/history-limits';
import { settings } from '../../../../support/vscode/vscode-stub';

vi.mock('vscode', () => import('../../../../support/vscode/vscode-stub'));
beforeEach(() => {
  settings.user = {};
});

const DEFAULTS = { maxRuns: 2_000, maxBytes: 256 * 1024 * 1024 };

interface Manifest {
  contributes: { configuration: { properties: Record<string, { default: unknown; minimum?: number }> } };
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const declared = (name: string) =>
  manifest.contributes.configuration.properties[`providerPlayground.${name}`];

describe('readHistoryLimits', () => {
  test.each([null, '5', 0, -1, [], {}, true])('reads the default in place of %j', (value) => {
    settings.user = { 'history.maxRuns': value, 'history.maxBytes': value };
    expect(readHistoryLimits()).toEqual(DEFAULTS);
  });

  test('reads nothing below what the manifest declares: 100 that was meant in megabytes deletes no history', () => {
    settings.user = { 'history.maxRuns': 0.5, 'history.maxBytes': 100 };
    const { maxRuns, maxBytes } = readHistoryLimits();
    expect(maxRuns).toBe(declared('history.maxRuns')?.minimum);
    expect(maxBytes).toBe(declared('history.maxBytes')?.minimum);
  });

  test('has the defaults of the manifest', () => {
    expect(readHistoryLimits()).toEqual({
      maxRuns: declared('history.maxRuns')?.default,
      maxBytes: declared('history.maxBytes')?.default,
    });
    expect(maxRequests()).toBe(declared('maxConcurrentRequests')?.default);
  });
});
