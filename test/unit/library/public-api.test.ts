import { describe, expect, test } from 'vitest';
import * as library from '../../../src/library';

describe('the public API of the library', () => {
  test('exports exactly these names', () => {
    expect(Object.keys(library).toSorted()).toEqual([
      'Agent',
      'CONNECT_TIMEOUT_MS',
      'HOSTED_API_DEFAULTS',
      'HostedApiProvider',
      'HttpError',
      'HttpTransport',
      'InvalidOptionsError',
      'LocalHostProvider',
      'NetworkError',
      'PROVIDER_CATALOG',
      'ProviderError',
      'Providers',
      'RETRY_DEFAULTS',
      'RequestTimeoutError',
      'RescueScanner',
      'RunStoppedError',
      'cameToNothing',
      'checkArguments',
      'closeConnections',
      'createRedactor',
      'findMarkup',
      'findReachedLimit',
      'formatToolCalls',
      'isSecretName',
      'nameJsonTypes',
      'nearestTools',
      'normalizeToolCallEnvelope',
      'parser',
      'pruneUndefined',
      'rescueFormatInfo',
      'rescueFormats',
      'rescueToolCalls',
      'runAgent',
    ]);
  });
});
