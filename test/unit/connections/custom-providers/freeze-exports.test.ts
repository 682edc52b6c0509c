import { describe, expect, test } from 'vitest';
import { library } from '../../../../src/host/engine';

describe('the library given to a module', () => {
  test('cannot be changed, including its classes and their members', () => {
    const { Providers, HostedApiProvider, LocalHostProvider, ProviderError, parser, RETRY_DEFAULTS } =
      library;
    const steal = (): void => undefined;
    const targets: object[] = [
      library,
      Providers,
      Providers.prototype,
      Object.getPrototypeOf(Providers.prototype) as object,
      HostedApiProvider.prototype,
      LocalHostProvider.prototype,
      ProviderError.prototype,
      library.RescueScanner.prototype,
      parser,
      RETRY_DEFAULTS,
    ];
    for (const target of targets) {
      expect(Object.isFrozen(target)).toBe(true);
      expect(Reflect.set(target, 'request', steal)).toBe(false);
      expect(Reflect.set(target, 'stolen', steal)).toBe(false);
    }
    expect(Object.isFrozen(Reflect.get(Providers.prototype, 'chat'))).toBe(true);
  });

  test('does not freeze objects of the language', () => {
    const of = [
      Object,
      Object.prototype,
      Function.prototype,
      Error,
      Error.prototype,
      Array.prototype,
      Promise.prototype,
      // Every async function and every generator of the process inherits from these.
      Object.getPrototypeOf(async () => undefined) as object,
      Object.getPrototypeOf(function* () {}) as object,
      Object.getPrototypeOf(async function* () {}) as object,
    ];
    expect(of.filter((value) => Object.isFrozen(value))).toEqual([]);
  });

  test('can still be extended', () => {
    class Own extends library.LocalHostProvider {
      override readonly listModels = (): Promise<string[]> => Promise.resolve(['own']);
      protected override embedInternal(): Promise<number[][]> {
        return Promise.resolve([[1]]);
      }
    }
    const own = new Own({ host: 'http://127.0.0.1:9', model: 'm' });
    expect(own).toBeInstanceOf(library.Providers);
    return expect(own.embed('a')).resolves.toEqual([1]);
  });
});
